"""The learners as people choose them, a file for each: pages, commands and checks find it by its `SPEC`.

To add one: its spec here, with options, defaults and words; what it does in `ml_backend/learners/`, at the path that
the spec names; and a test that inherits `LearnerContract`, which holds the two to each other.
"""
