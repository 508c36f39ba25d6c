"""What researchers of a study are told when something happened without them, and who has read it."""
