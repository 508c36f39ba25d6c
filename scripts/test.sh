#!/usr/bin/env bash
# Everything but what takes long: static checks, then the tests on SQLite, with servers and a browser, on PostgreSQL and
# on Redis. The seconds of every test are left in var/test-durations (docs/testing.md).
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh
with_servers="browser or label_studio or broker"
rm -rf "$measured"

tests() { # name of the step's file of durations, which tests, folders...
    $python -m pytest -q "${on_two_processes[@]}" --durations-to "$measured/$1.json" -m "($2) and not soak" "${@:3}"
}
tests_on() { # servers, then as above
    $python -m tests.with_servers $1 -- $python -m pytest -q "${on_two_processes[@]}" \
        --durations-to "$measured/$2.json" -m "($3) and not soak" "${@:4}"
}

begin_static_checks
step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}" backend --ignore=backend/label_studio/overlay
end_static_checks
step "tests on SQLite" tests sqlite "not ($with_servers or production)" tests
step "tests with Label Studio, Chromium and the embedded broker" \
    tests servers "$with_servers" tests/integration tests/browser
step "database tests on PostgreSQL" \
    tests_on --postgres postgresql "both_databases and not ($with_servers or production)" tests/backend tests/integration
step "broker and production tests on PostgreSQL and Redis" \
    tests_on "--postgres --redis" redis "broker and not once or production" tests/integration
sum_up
