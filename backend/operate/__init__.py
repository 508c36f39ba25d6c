"""What keeps an instance running: the launcher, backups, monitoring and the demo."""
