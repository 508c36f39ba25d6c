"""A whole corpus labelled by one of the study's models, followed, paused and gone on with."""
