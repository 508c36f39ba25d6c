"""What a study gives to others: a labelled corpus, reports, and feedback."""
