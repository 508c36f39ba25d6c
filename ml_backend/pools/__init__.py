"""Many independent cells of work on many workers: the processes of this machine, or those of a cluster."""
