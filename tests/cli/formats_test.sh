#!/usr/bin/env bash
# Files of a run as other people's programs read them: Google Benchmark's own compare.py reads --benchmark_out, and
# junit.xml meets its schema, with a green case, a failed one and one past its deadline. Called with the program and the schema.
set -euo pipefail
program=$1 schema=$2
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"
cat >tiny.toml <<'TOML'
schema = 1
reference = "wrong.toml"
[model.tiny]
widths = [5, 3, 1]
[defaults]
world = 2
model = "tiny"
batch = 2
steps = 1
warmup = 0
iterations = 2
deadline_s = 100
[[training]]
strategy = ["ddp", "zero3"]
[[training]]
name = "late"
strategy = "ddp"
deadline_s = 0.001
TOML
cat >wrong.toml <<'TOML'
schema = 1
source = "wrong on purpose"
[[expect]]
case = "training/zero3/gloo/tiny/world=2/unit=root/adamw"
weights_bytes = 1
TOML

for run in a b; do
  code=0
  "$program" run tiny.toml --out "$run" --benchmark_out="$run.json" --benchmark_repetitions=3 >"$run.log" 2>&1 || code=$?
  [[ $code == 1 ]] || { cat "$run.log" >&2; fail "the run exits with $code, but an invariant fails"; }
done

/usr/bin/python3 /usr/share/benchmark/compare.py --no-color benchmarks a.json b.json >compared ||
  { cat compared >&2; fail 'compare.py does not read --benchmark_out'; }
for strategy in ddp zero3; do
  grep -q "^training/$strategy/gloo/tiny/world=2/unit=root/adamw.*_median" compared ||
    { cat compared >&2; fail "compare.py does not show $strategy"; }
done

grep -q '<failure' a/junit.xml || fail 'no failure in junit.xml'
grep -q '<error type="timeout"' a/junit.xml || fail 'no error in junit.xml'
xmllint --noout --schema "$schema" a/junit.xml || fail 'junit.xml does not meet its schema'
sed 's/<testcase /<testcase colour="red" /' a/junit.xml >broken.xml
! xmllint --noout --schema "$schema" broken.xml 2>/dev/null || fail 'the schema takes anything'
