"""A study whose model answers over HTTP, for every test of feedback."""

from tests.backend.publish.feedback import scene

learned, served, desk = scene.learned, scene.served, scene.desk
