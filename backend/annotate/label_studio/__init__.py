"""Label Studio as Attune runs it: how it is started, and what is laid over its settings."""
