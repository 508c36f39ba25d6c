"""What can keep an instance from starting; each message says what to do about it."""

from __future__ import annotations

from pathlib import Path

from backend.operate.instance.workplace import LaunchError


class PortTaken(LaunchError):
    """Something else listens where a process of ours should."""

    def __init__(self, port: int, purpose: str, variable: str, user: str | None) -> None:
        by = f" by {user}" if user else ""
        super().__init__(
            f"port {port}, meant for {purpose}, is already used{by}. "
            f"Stop that program, or choose another port: {variable}={port + 1} make run"
        )


class NotEmbedded(LaunchError):
    """A production instance has its own process manager."""

    def __init__(self) -> None:
        super().__init__(
            "ATTUNE_MODE=production is served by docker compose, see docs/deploying.md. "
            "Leave ATTUNE_MODE out to run an embedded instance here."
        )


class LabelStudioMissing(LaunchError):
    """Label Studio's own environment has not been made."""

    def __init__(self, venv: Path) -> None:
        super().__init__(f"there is no Label Studio in {venv}. `make run` installs it there.")


class PreparationFailed(LaunchError):
    """Migrating, or loading the demo study, went wrong."""

    def __init__(self) -> None:
        super().__init__("the database could not be prepared; the reason is printed above.")


class ProcessNotReady(LaunchError):
    """A process lives, does not answer and does nothing."""

    def __init__(self, name: str, seconds: float, log: Path) -> None:
        super().__init__(f"{name} is not ready and has done nothing for {seconds:.0f} s. Its log: {log}")


class ProcessDied(LaunchError):
    """One process ended by itself and was not to be kept up, so the others were stopped."""

    def __init__(self, name: str, code: int, log: Path) -> None:
        super().__init__(f"{name} {how_it_ended(code)}, so everything was stopped. Its log: {log}")


def how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


class OwnerTokenRefused(LaunchError):
    """The secrets and Label Studio's database are not from the same first run."""

    def __init__(self, secrets_file: Path) -> None:
        super().__init__(
            f"Label Studio does not accept the token in {secrets_file}. Restore the file that belongs to "
            f"this data directory, or remove {secrets_file.parent / 'label-studio'} to set it up afresh."
        )
