"""What is seen from above all stages: the list of studies, how far a study is, and the menu of every page."""
