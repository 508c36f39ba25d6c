#!/usr/bin/env bash
# The checks worth running after every edit: under a minute, no servers, no database.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh

begin_aside static_checks
step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}"
step "quick tests" env HYPOTHESIS_PROFILE=quick $python -m pytest -q "${on_two_processes[@]}" \
    -m "not database and not browser and not label_studio and not broker and not slow and not soak" \
    tests --ignore=tests/integration --ignore=tests/browser
end_aside
sum_up
