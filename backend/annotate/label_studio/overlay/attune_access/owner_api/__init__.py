"""What Attune tells the access app: accounts, seats and tasks. JSON, with the owner's token only."""
