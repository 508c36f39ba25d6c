"""How Label Studio is started: its command line and its environment, secrets only in the latter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

OWNER = "owner@attune.local"
VENV = Path(__file__).resolve().parents[3] / ".venv-label-studio"
OVERLAY = Path(__file__).resolve().parent / "overlay"
# Label Studio also reads variables without its prefix (HOST, DEBUG, PASSWORD…): only these pass through.
INHERITED = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE")


@dataclass(frozen=True)
class LabelStudioInstance:
    """One Label Studio: where it lives, where it listens, and its owner's secrets."""

    venv: Path
    data_dir: Path
    port: int
    public_url: str
    password: str
    token: str


def command_line(instance: LabelStudioInstance) -> list[str]:
    serve = [str(instance.venv / "bin" / "python"), "-m", "attune_access.serve"]
    return [*serve, "--host", "127.0.0.1", "--port", str(instance.port)]


def process_environment(instance: LabelStudioInstance, inherited: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of the process; what it is not given here it must not see."""
    home = instance.data_dir / "home"
    return {
        **{name: inherited[name] for name in INHERITED if name in inherited},
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": str(OVERLAY),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        "DJANGO_SETTINGS_MODULE": "attune_access.settings",
        "LOG_LEVEL": "WARNING",
        "LABEL_STUDIO_LATEST_VERSION_CHECK": "false",
        "LABEL_STUDIO_BASE_DATA_DIR": str(instance.data_dir),
        "LABEL_STUDIO_HOST": instance.public_url,
        "LABEL_STUDIO_ALLOWED_HOSTS": ",".join(allowed_hosts(instance.public_url)),
        "LABEL_STUDIO_USERNAME": OWNER,
        "LABEL_STUDIO_PASSWORD": instance.password,
        "LABEL_STUDIO_USER_TOKEN": instance.token,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    }


def allowed_hosts(public_url: str) -> list[str]:
    """Host names it answers to: loopback, and the one people use.

    >>> allowed_hosts("https://label.example.org")
    ['127.0.0.1', 'localhost', 'label.example.org']
    """
    names = ["127.0.0.1", "localhost"]
    host = urlsplit(public_url).hostname
    return names if host is None or host in names else [*names, host]
