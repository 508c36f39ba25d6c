"""`python -m backend.operate.launch [--logs]`: checks, prepares, starts, waits, welcomes, and stops on Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from backend.annotate.label_studio.process import VENV, LabelStudioInstance
from backend.operate.instance.workplace import LaunchError, Workplace, take_possession
from backend.operate.launch.errors import LabelStudioMissing, NotEmbedded, PreparationFailed
from backend.operate.launch.logs import LogPrinter
from backend.operate.launch.ports import require_free_port
from backend.operate.launch.processes import (
    ProcessSpec,
    beat,
    label_studio,
    ml,
    ml_server,
    sync,
    web,
    worker,
)
from backend.operate.launch.refusals import why_it_cannot_start
from backend.operate.launch.supervisor import Supervisor
from backend.operate.launch.welcome import Account, Arrival, welcome
from backend.secrets_file import InstanceSecrets, SecretsFileError, load_or_create_secrets

PATIENCE_SECONDS = 120
SHOW_LOGS = "--logs"
MIGRATED = "label_studio.sqlite3"


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.settings")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        launch()
    except KeyboardInterrupt:
        return 0
    except (LaunchError, ImproperlyConfigured, SecretsFileError) as problem:
        print(f"\nAttune stopped: {problem}", file=sys.stderr)
        return 1
    except OSError as problem:
        sentence = why_it_cannot_start(problem)
        if sentence is None:
            raise
        print(f"\nAttune stopped: {sentence}", file=sys.stderr)
        return 1
    print("Attune has stopped.")
    return 0


def launch() -> None:
    if settings.PRODUCTION:
        raise NotEmbedded
    require_free_port(settings.WEB_PORT, purpose="the web pages", variable="ATTUNE_WEB_PORT")
    require_free_port(settings.LABEL_STUDIO_PORT, purpose="Label Studio", variable="ATTUNE_LABEL_STUDIO_PORT")
    require_free_port(
        settings.ML_SERVER_PORT, purpose="the ML backend's server", variable="ATTUNE_ML_SERVER_PORT"
    )
    os.umask(0o077)  # everything kept from here on, by every process, is for this user alone
    workplace = Workplace(settings.DATA_DIR)
    take_possession(workplace)
    instance_secrets = load_or_create_secrets(settings.SECRETS_FILE)
    label_studio_instance = _label_studio_instance(instance_secrets)
    _prepare(first_time=not (label_studio_instance.data_dir / MIGRATED).exists())
    _run(
        workplace,
        _specs(workplace, label_studio_instance, settings.ML_SERVER_PASSWORD),
        lambda: _welcome(workplace.logs, instance_secrets.demo_password),
    )


def _label_studio_instance(instance_secrets: InstanceSecrets) -> LabelStudioInstance:
    instance = LabelStudioInstance(
        venv=VENV,
        data_dir=settings.DATA_DIR / "label-studio",
        port=settings.LABEL_STUDIO_PORT,
        public_url=settings.LABEL_STUDIO_URL,
        password=instance_secrets.label_studio_password,
        token=settings.LABEL_STUDIO_TOKEN,
    )
    if not (instance.venv / "bin" / "label-studio").exists():
        raise LabelStudioMissing(instance.venv)
    (instance.data_dir / "home").mkdir(mode=0o700, parents=True, exist_ok=True)
    return instance


def _prepare(*, first_time: bool) -> None:
    wait = "one or two minutes, this first time" if first_time else "usually under 20 seconds"
    print(f"Starting Attune in {settings.DATA_DIR} ({wait}).", flush=True)
    print("Preparing the database and the demo study …", flush=True)
    command = [sys.executable, "-m", "backend.operate.launch.prepare"]
    if subprocess.run(command, cwd=settings.ROOT, check=False).returncode != 0:
        raise PreparationFailed


def _specs(workplace: Workplace, instance: LabelStudioInstance, ml_password: str) -> list[ProcessSpec]:
    return [
        label_studio(instance, settings.SECRETS_FILE, os.environ),
        web(settings.WEB_PORT, os.environ),
        worker(workplace, os.environ),
        sync(workplace, os.environ),
        ml(workplace, os.environ),
        ml_server(settings.ML_SERVER_PORT, ml_password, os.environ),
        beat(workplace, os.environ),
    ]


def _run(workplace: Workplace, specs: Sequence[ProcessSpec], when_ready: Callable[[], str]) -> None:
    print(f"Starting {', '.join(spec.name for spec in specs)} …", flush=True)
    printer = LogPrinter(sys.stdout, workplace.logs, shows=SHOW_LOGS in sys.argv[1:])
    try:
        Supervisor(printer, workplace, specs).supervise(PATIENCE_SECONDS, when_ready)
    finally:
        printer.close()


def _welcome(log_dir: Path, demo_password: str) -> str:
    return welcome(
        Arrival(
            web_url=settings.PUBLIC_URL,
            label_studio_url=settings.LABEL_STUDIO_URL,
            log_dir=log_dir,
            accounts=_demo_accounts(demo_password),
        )
    )


def _demo_accounts(password: str) -> list[Account]:
    # The cast is described with models, which the launcher needs for nothing else: loaded once all is up.
    django.setup()
    from backend.operate.demo.accounts import CAST

    return [
        Account(person.display_name, str(person.account_role.label), person.username, password)
        for person in CAST
    ]


if __name__ == "__main__":
    sys.exit(main())
