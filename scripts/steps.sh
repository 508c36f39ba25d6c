# Sourced by check.sh, test.sh and soak.sh: runs named steps, goes on after a failure, and sums up at the end.
python=.venv/bin/python
# Those whose examples run; what Celery starts in ml_backend needs a broker even to be imported.
rooms=(codebook corpus annotation learning analysis ml_backend/gradients ml_backend/learners ml_backend/encoder ml_backend/generative scripts/house.py)
# A file stays on one process, which then starts its servers once; the longest files begin (tests/durations.py).
# A process that ends in a test ends the run: another one would begin the same test again.
by_file=(--dist loadfile --no-loadscope-reorder --max-worker-restart 0)
on_two_processes=(-n 2 "${by_file[@]}")
measured=var/test-durations
results=()
failed=0

# Databases and folders of the tests live in memory where there is room for them: on a disk they wait for it.
memory=/dev/shm
for left in "$memory"/attune-tests-*; do # by a run that was killed
    [[ ! -d $left ]] || kill -0 "${left##*-}" 2>/dev/null || rm -rf "$left"
done
room="$(df --output=avail -k "$memory" 2>/dev/null | tail -n 1)"
if ((${room:-0} > 8000000)); then
    export TMPDIR="$memory/attune-tests-$$"
    mkdir -m 711 "$TMPDIR" # PostgreSQL runs as somebody else and has to get in
    trap 'rm -rf "$TMPDIR"' EXIT
fi

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
    step "templates" $python -m djlint --lint --quiet backend
    step "types" $python -m mypy
    step "import directions" $python -c 'from importlinter.cli import lint_imports_command as run; run()'
}

# Runs a function's steps on the side while others go on; `end_aside` waits for it and prints what it said.
begin_aside() { # function
    aside_output="$(mktemp)"
    (
        results=()
        "$1"
        printf '%s\n' "${results[@]}" >"$aside_output.results"
        exit "$failed"
    ) >"$aside_output" 2>&1 &
    aside_process=$!
}

end_aside() {
    wait "$aside_process" || failed=1
    cat "$aside_output"
    mapfile -t -O "${#results[@]}" results <"$aside_output.results"
    rm -f "$aside_output" "$aside_output.results"
}

sum_up() {
    printf '\n== Summary\n'
    printf '%s\n' "${results[@]}"
    ((failed)) && echo "Something failed." || echo "All passed in $SECONDS s."
    exit "$failed"
}
