#!/usr/bin/env bash
# Everything: static checks, then the tests on SQLite, with servers and a browser, on PostgreSQL and on Redis.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh
# A file stays on one process, which then starts its servers once
slow="browser or label_studio or broker"

static_checks
step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}" backend --ignore=backend/label_studio/overlay
step "tests on SQLite" $python -m pytest -q -n 2 -m "not ($slow or production)" tests
step "tests with Label Studio, Chromium and the embedded broker" \
    $python -m pytest -q -n 2 --dist loadfile -m "$slow" tests
step "database tests on PostgreSQL" $python -m tests.with_servers --postgres -- \
    $python -m pytest -q -n 2 -m "database and not ($slow or production)" tests
step "broker and production tests on PostgreSQL and Redis" $python -m tests.with_servers --postgres --redis -- \
    $python -m pytest -q -n 2 --dist loadfile -m "broker or production" tests
sum_up
