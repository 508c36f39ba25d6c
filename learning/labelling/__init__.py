"""A corpus labelled by a model: what a run is on disk, cut into shards that are written whole or not at all."""
