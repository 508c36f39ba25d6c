#!/usr/bin/env bash
# The checks worth running after every edit: about a minute, without servers, databases and networks to train.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh

on_the_side() {
    static_checks
    step "doctests" $python -m pytest -q --doctest-modules "${rooms[@]}"
}

# What needs a network, or loads other people's for seconds to compare with it, is not even collected
without=(--ignore=tests/{integration,browser,ml_backend} --ignore=tests/backend/publish/feedback
    --ignore=tests/backend/api/test_described_calls.py --ignore=tests/benchmarks/test_epitome.py
    --ignore=tests/analysis/test_power_tuning.py --ignore=tests/analysis/report/test_figures.py
    --ignore=tests/annotation/consensus/test_against_crowd_kit.py --ignore-glob='*/test_other_implementations.py')

quick_tests() { # folders...
    HYPOTHESIS_PROFILE=quick $python -m pytest -q "${without[@]}" \
        -m "not database and not browser and not label_studio and not broker and not slow and not soak" "$@"
}

# Not by xdist, of which each process would collect all
begin_aside on_the_side
step "quick tests of the backend" quick_tests tests/backend
step "quick tests of the rest" quick_tests tests --ignore=tests/backend
end_aside
sum_up
