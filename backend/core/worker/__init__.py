"""What Celery needs of us below the jobs: the broker without a server, and the sign that a worker stops."""
