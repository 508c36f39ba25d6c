"""What is worth annotating next, and with which probability each item could have been chosen."""
