"""How much gold, and how much agreement, has to be collected."""
