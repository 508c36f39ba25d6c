"""Passwords that are hashed as on a real instance but once instead of a million times.

A process that a test starts, with the settings of a real instance, still knows them.
"""

from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickPasswordHasher(PBKDF2PasswordHasher):
    iterations = 1
