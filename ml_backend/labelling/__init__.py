"""Shards of a labelling run, taken by as many fresh processes as a machine has room for."""
