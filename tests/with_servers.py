"""Runs a command with real servers: `python -m tests.with_servers --postgres -- pytest -m database`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack

from tests.servers import MissingProgram, postgres_server, redis_server


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.with_servers", description=__doc__)
    parser.add_argument("--postgres", action="store_true", help="start PostgreSQL and set DATABASE_URL")
    parser.add_argument("--redis", action="store_true", help="start Redis and set BROKER_URL")
    parser.add_argument("command", nargs="+", help="what to run, after --")
    chosen = parser.parse_args(arguments)
    environment = dict(os.environ)
    with ExitStack() as servers:
        try:
            if chosen.postgres:
                environment["DATABASE_URL"] = servers.enter_context(postgres_server())
            if chosen.redis:
                environment["BROKER_URL"] = servers.enter_context(redis_server())
        except MissingProgram as problem:
            print(problem, file=sys.stderr)
            return 1
        return subprocess.run(chosen.command, env=environment).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
