#!/usr/bin/env bash
# The checks worth running after every edit: about a minute, without servers, databases and networks to train.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh

on_the_side() {
    static_checks
    step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}"
}

begin_aside on_the_side
step "quick tests" env HYPOTHESIS_PROFILE=quick $python -m pytest -q "${on_two_processes[@]}" \
    -m "not database and not browser and not label_studio and not broker and not slow and not soak" \
    tests --ignore=tests/integration --ignore=tests/browser --ignore=tests/ml_backend --ignore=tests/backend/publish/feedback
end_aside
sum_up
