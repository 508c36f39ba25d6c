# Sourced by check.sh and test.sh: runs named steps, goes on after a failure, and sums up at the end.
python=.venv/bin/python
# Those whose examples run; what Celery starts in ml_backend needs a broker even to be imported.
rooms=(codebook corpus annotation analysis ml_backend/gradients ml_backend/learners ml_backend/encoder ml_backend/generative)
results=()
failed=0

step() { # name, command...
    local name="$1" begin=$SECONDS outcome=passed
    shift
    printf '\n== %s\n' "$name"
    "$@" || { outcome=FAILED; failed=1; }
    results+=("$(printf '%-8s %4d s  %s' "$outcome" $((SECONDS - begin)) "$name")")
}

static_checks() {
    step "lint" $python -m ruff check .
    step "format" $python -m ruff format --check .
    step "types" $python -m mypy
    step "import directions" .venv/bin/python -c 'from importlinter.cli import lint_imports_command as run; run()'
}

sum_up() {
    printf '\n== Summary\n'
    printf '%s\n' "${results[@]}"
    ((failed)) && echo "Something failed." || echo "All passed in $SECONDS s."
    exit "$failed"
}
