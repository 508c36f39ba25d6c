#!/usr/bin/env bash
# Makes a Python environment, or brings it up to date: environment.sh PYTHON DIRECTORY REQUIREMENTS HOW-LONG
set -euo pipefail
python="$1" directory="$2" requirements="$3" how_long="$4"

if ! command -v "$python" >/dev/null; then
    echo "Attune needs Python 3.11, and there is no $python here. Install it (Debian: apt-get install" >&2
    echo "python3.11 python3.11-venv), or name yours: make PYTHON=/path/to/python3.11 ..." >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "Attune needs Python 3.11, and $python is $("$python" --version). Name another one:" >&2
    echo "make PYTHON=/path/to/python3.11 ..." >&2
    exit 1
fi

echo "Installing $requirements into $directory ($how_long, once) …"
rm -f "$directory/.made-$(basename "$requirements" .txt)"-*
"$python" -m venv "$directory"
"$directory/bin/python" -m pip install -qq --disable-pip-version-check -r "$requirements"
