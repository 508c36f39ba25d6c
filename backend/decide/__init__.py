"""What judgments add up to: agreement, adjudication and releases."""
