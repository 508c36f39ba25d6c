"""A study with adapters, for every test of pre-labels."""

from tests.backend.learn.prelabels import scene

made, bench = scene.made, scene.bench
