"""Transfer studies: whether a model that learned one task learns another one better."""
