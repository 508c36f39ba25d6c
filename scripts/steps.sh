# Sourced by check.sh, test.sh and soak.sh: runs named steps, goes on after a failure, and sums up at the end.
python=.venv/bin/python
# Those whose examples run; what Celery starts in ml_backend needs a broker even to be imported.
rooms=(codebook corpus annotation analysis ml_backend/gradients ml_backend/learners ml_backend/encoder ml_backend/generative)
# A file stays on one process, which then starts its servers once; the longest files begin (tests/durations.py)
on_two_processes=(-n 2 --dist loadfile --no-loadscope-reorder)
measured=var/test-durations
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
    step "import directions" $python -c 'from importlinter.cli import lint_imports_command as run; run()'
}

begin_static_checks() { # on the other core, while what follows runs
    static_output="$(mktemp)"
    (
        static_checks
        printf '%s\n' "${results[@]}" >"$static_output.results"
        exit "$failed"
    ) >"$static_output" 2>&1 &
    static_process=$!
}

end_static_checks() {
    wait "$static_process" || failed=1
    cat "$static_output"
    mapfile -t -O "${#results[@]}" results <"$static_output.results"
    rm -f "$static_output" "$static_output.results"
}

sum_up() {
    printf '\n== Summary\n'
    printf '%s\n' "${results[@]}"
    ((failed)) && echo "Something failed." || echo "All passed in $SECONDS s."
    exit "$failed"
}
