"""A study with adapters, for every test of pre-labels."""

from tests.backend.learn.prelabels import fixtures

made, bench = fixtures.made, fixtures.bench
