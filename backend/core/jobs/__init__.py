"""Long work as rows: jobs are claimed, kept alive and ended in the database; messages only wake workers."""
