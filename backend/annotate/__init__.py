"""How people judge: batches, practice, Label Studio, the sync with it, judgments and discussions."""
