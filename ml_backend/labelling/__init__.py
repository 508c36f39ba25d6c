"""Labels the shards of a corpus: one driver hands them to the workers of a pool and writes what comes back."""
