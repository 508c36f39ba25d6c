"""The life of a study beyond its work: archived and brought back, copied without its texts, deleted for good."""
