#!/usr/bin/env bash
# What takes long: twenty kills instead of a few, thousands of random examples, real models. For a night, or before a release.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh
export HYPOTHESIS_PROFILE=soak
export PYTEST_ADDOPTS="-o faulthandler_timeout=0"

step "long tests" $python -m pytest -q "${on_two_processes[@]}" -m "soak and not broker" tests
step "long tests on PostgreSQL and Redis" $python -m tests.with_servers --postgres --redis -- \
    $python -m pytest -q "${on_two_processes[@]}" -m "soak and broker" tests
step "properties, many random examples" $python -m pytest -q "${on_two_processes[@]}" \
    -m "hypothesis and not (browser or label_studio or broker or production or soak)" tests
sum_up
