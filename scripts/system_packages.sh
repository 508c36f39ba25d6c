#!/usr/bin/env bash
# The tests drive real programs: installs those that are missing if it may, or says which they are.
set -euo pipefail

missing=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
    missing+=(chromium)
command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
command -v redis-server >/dev/null || missing+=(redis-server)
command -v caddy >/dev/null || missing+=(caddy)
((${#missing[@]})) || exit 0

if command -v apt-get >/dev/null && [[ $(id -u) == 0 ]]; then
    echo "Installing ${missing[*]} …"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
    echo "make test needs programs that are not here: ${missing[*]} (names of Debian packages)." >&2
    echo "Install them, for example: sudo apt-get install ${missing[*]}" >&2
    exit 1
fi
