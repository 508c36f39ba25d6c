"""What Attune tells the gate: accounts, seats and tasks. JSON, with the owner's token only."""
