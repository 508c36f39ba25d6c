"""A study whose model answers over HTTP, for every test of feedback."""

from tests.backend.publish.feedback import fixtures

learned, served, bench = fixtures.learned, fixtures.served, fixtures.bench
