"""Tasks worked on in fresh processes, so that their memory comes back and a kill takes nothing else along."""
