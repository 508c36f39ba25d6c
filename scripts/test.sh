#!/usr/bin/env bash
# Everything but what takes long: static checks, the tests on SQLite with all servers and a browser, then those that
# depend on the database or the broker on PostgreSQL and on Redis. The seconds of every test are left in var/test-durations (docs/testing.md).
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh
with_servers="browser or label_studio or broker"
rm -rf "$measured"

tests() { # servers to start, processes, name of the step's file of durations, which tests, folders...
    local runner=()
    [[ -z $1 ]] || runner=($python -m tests.with_servers $1 --)
    "${runner[@]}" $python -m pytest -q -n "$2" "${by_file[@]}" --durations-to "$measured/$3.json" \
        -m "($4) and not soak" "${@:5}"
}
on_postgresql() {
    step "database tests on PostgreSQL" tests --postgres 2 postgresql \
        "both_databases and not ($with_servers or production)" tests/backend tests/integration
}

begin_aside static_checks
step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}" backend --ignore=backend/annotate/label_studio/overlay
# Processes that wait for servers leave room for a third
step "tests on SQLite, with Label Studio, Chromium and the embedded broker" \
    tests "" 3 sqlite "not production" tests
end_aside
begin_aside on_postgresql
step "broker and production tests on PostgreSQL and Redis" \
    tests "--postgres --redis" 2 redis "broker and not once or production" tests/integration
end_aside
sum_up
