"""`python -m attune_access.serve`: what `label-studio start` does, behind gunicorn instead of Django's runserver."""

import argparse
import os
import sys

from gunicorn.app.base import BaseApplication

# Two processes use two cores; SQLite lets one write at a time, whatever their number.
WORKERS = 2
THREADS = 4


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="attune_access.serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    chosen = parser.parse_args(arguments)
    # Label Studio asks git what it is, and would take the project around it for its own.
    os.chdir(os.environ["LABEL_STUDIO_BASE_DATA_DIR"])
    application = prepare(chosen.port)
    try:
        Server(application, f"{chosen.host}:{chosen.port}").run()
    except SystemExit as ending:
        _leave(ending.code)


def prepare(port: int):
    """Settings, migrations, the owner with token and organization: Label Studio's own steps, in its order."""
    from label_studio import server

    sys.path.insert(0, server.LS_PATH)
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
    server._apply_database_migrations()
    _make_owner(server)
    _forget_old_sessions()
    _load_everything(port)
    return application


def _make_owner(server) -> None:
    from label_studio.core.argparser import parse_input_args

    from attune_access.owner_secrets import follow_environment

    server._create_user(parse_input_args(["start", "--enable-legacy-api-token"]), {})
    follow_environment()


def _forget_old_sessions() -> None:
    from attune_access.sessions import SessionStore

    SessionStore.clear_expired()


def _load_everything(port: int) -> None:
    """The workers are copies of this process: what is loaded here is loaded once."""
    from django.conf import settings
    from django.db import connections
    from django.urls import get_resolver

    settings.INTERNAL_PORT = str(port)
    get_resolver().check()
    # An open connection must not be in two processes.
    connections.close_all()


def _leave(code: object) -> None:
    """At once: taking half a gigabyte of modules apart in good order takes seconds and saves nothing."""
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


class Server(BaseApplication):
    """Gunicorn with the application loaded once, before its workers are forked."""

    def __init__(self, application, address: str) -> None:
        self._application = application
        self._address = address
        super().__init__()

    def load_config(self) -> None:
        options = {
            "bind": self._address,
            "worker_class": "gthread",
            "workers": WORKERS,
            "threads": THREADS,
            "preload_app": True,
            # A large import takes its time
            "timeout": 300,
            "graceful_timeout": 2,
            "keepalive": 15,
            "loglevel": "warning",
            "control_socket_disable": True,
            "worker_exit": lambda server, worker: _leave(0) if worker.booted else None,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        return self._application


if __name__ == "__main__":
    main(sys.argv[1:])
