#!/usr/bin/env bash
# The checks worth running after every edit: seconds, no servers.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh

static_checks
step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}"
step "unit tests" env HYPOTHESIS_PROFILE=quick $python -m pytest -q -n 2 \
    -m "not database and not browser and not label_studio and not broker and not slow" \
    tests --ignore=tests/integration --ignore=tests/browser
sum_up
