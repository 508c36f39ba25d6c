"""What the launcher, backups and monitoring know of an instance on disk: its lock, its signs of life, its restore."""
