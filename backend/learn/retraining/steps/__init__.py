"""The steps of a run, each of which can be cut off anywhere and started again."""
