"""What the database itself enforces, on SQLite and on PostgreSQL alike."""
