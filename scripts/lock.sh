#!/usr/bin/env bash
# Rewrites requirements/*.txt from requirements/*.in: each set is resolved in a fresh environment and frozen.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-python3.11}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

freeze() { # environment -> its packages, exactly pinned, without pip's own tools
    # A build such as torch 2.13.0+cpu is of this machine: the pin names the version, which any build of it meets.
    "$1/bin/python" -m pip freeze --exclude pip --exclude setuptools --exclude wheel |
        sed 's/+[A-Za-z0-9.]*$//' | LC_ALL=C sort -f
}

heading() { # name of the set
    echo "# Made by \`make lock\` from $1.in: edit that file, not this one."
}

"$python" -m venv "$work/app"
"$work/app/bin/python" -m pip install --quiet -r requirements/app.in
freeze "$work/app" >"$work/app.txt"
"$work/app/bin/python" -m pip install --quiet -r requirements/cluster.in -c "$work/app.txt"
freeze "$work/app" >"$work/cluster.txt"
"$work/app/bin/python" -m pip install --quiet -r requirements/dev.in -c "$work/cluster.txt"
freeze "$work/app" >"$work/all.txt"
"$python" -m venv "$work/label-studio"
"$work/label-studio/bin/python" -m pip install --quiet -r requirements/label-studio.in
freeze "$work/label-studio" >"$work/label-studio.txt"

if grep -nE '@|^-e|://' "$work/all.txt" "$work/label-studio.txt"; then
    echo "A package was installed from a path or an address: it cannot be locked." >&2
    exit 1
fi
{ heading app; cat "$work/app.txt"; } >requirements/app.txt
{ heading cluster; echo "-r app.txt"; grep -vxFf "$work/app.txt" "$work/cluster.txt"; } >requirements/cluster.txt
{ heading dev; echo "-r app.txt"; grep -vxFf "$work/app.txt" "$work/all.txt"; } >requirements/dev.txt
{ heading label-studio; cat "$work/label-studio.txt"; } >requirements/label-studio.txt
wc -l requirements/*.txt
