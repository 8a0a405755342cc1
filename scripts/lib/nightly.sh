# What a night leaves behind, whatever happens: a folder with report.html, summary.md, junit.xml, exit_code and log.txt.
# Sourced by scripts/nightly, whose options it uses (state, keep, update, quiet).
# shellcheck disable=SC2154

# A folder of its own for this night, in `folder`.
make_folder() {
  local name count=1
  name=$state/runs/$(date -u +%Y%m%dT%H%M%SZ)
  folder=$name
  mkdir -p -- "$state/runs" || die "cannot make '$state/runs'" "make it writable, or choose another folder with --state"
  until mkdir -- "$folder" 2>/dev/null; do
    ((++count < 100)) || die "cannot make '$folder'" "make '$state/runs' writable, or choose another folder with --state"
    folder=$name-$count
  done
}

# Text for HTML and XML: valid UTF-8 without control characters, markup escaped.
escaped() { iconv -c -f UTF-8 -t UTF-8 | tr -d '\000-\010\013-\037\177' | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }

# The results of a night that gave none: what failed, and the end of the log.
write_failure() {
  local what=$1 code=$2 end
  end=$(tail -n 40 -- "$folder/log.txt" | escaped)
  cat >"$folder/junit.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="0" errors="1">
 <testsuite name="nightly" tests="1" failures="0" errors="1">
  <testcase classname="nightly" name="$what"><error type="nightly" message="$what failed with exit code $code">$end</error></testcase>
 </testsuite>
</testsuites>
XML
  cat >"$folder/report.html" <<HTML
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Red: $what failed</title>
<style>body{margin:2rem auto;max-width:60rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}h1{border-left:5px solid #d55e00;padding-left:.8rem;font-size:1.4rem}pre{overflow:auto;padding:1rem;border:1px solid #8888;border-radius:6px;font-size:.85rem}</style>
</head><body><p>Shardbench, night of $(basename -- "$folder")</p>
<h1>&#10007; Red: $what failed with exit code $code; nothing was measured</h1>
<p>The end of log.txt:</p><pre>$end</pre></body></html>
HTML
  printf '### \xe2\x9d\x8c nightly: Red: %s failed with exit code %s; nothing was measured\n\n<pre>%s</pre>\n' "$what" "$code" "$end" >"$folder/summary.md"
}

# The build of a green night, in builds/COMMIT: nights that are compared with this one run their suspects again in turns
# with it, and with the plugins from outside that it had, which are in plugins/HASH beside those of earlier nights of the
# same commit. None of a source with changes of its own, which its commit does not tell.
keep_build() {
  local commit kept old
  commit=$("$driver" --version | sed -n '1s/.*commit \([0-9a-f]*\)).*/\1/p')
  [[ -n $commit ]] || return 0
  kept=$state/builds/$commit
  rm -rf -- "$kept.new"
  mkdir -p -- "$kept.new" && cp -R -- "$build/bin" "$build/lib" "$kept.new/" || return
  for old in "$kept/plugins" "$folder/plugins"; do
    [[ ! -d $old ]] || cp -R -- "$old" "$kept.new/" || return
  done
  rm -rf -- "$kept" && mv -- "$kept.new" "$kept" || return
  while IFS= read -r old; do
    rm -rf -- "${old#* }"
  done < <(find "$state/builds" -regextype posix-extended -regex '.*/[0-9a-f]{7,40}' -printf '%T@ %p\n' | sort -n | head -n -"$keep")
}

# Deletes the oldest folders of runs/ beyond `keep`: only those that a night has finished, and never anything else.
tidy() {
  local old
  while IFS= read -r old; do
    [[ -f $old/exit_code ]] && rm -rf -- "$old"
  done < <(find "$state/runs" -mindepth 1 -maxdepth 1 -type d -name '????????T??????Z*' | sort | head -n -"$keep")
}

# stage_of NAME ARGS...: one stage of the night, its output in the log and, unless quiet, shown.
stage_of() {
  local name=$1 code=0
  shift
  printf '== %s\n' "$name" >>"$folder/log.txt"
  if [[ -n $quiet ]]; then
    SHARDBENCH_NIGHT=$folder "$scripts/nightly" --stage "$name" "$@" >>"$folder/log.txt" 2>&1 </dev/null || code=$?
  else
    SHARDBENCH_NIGHT=$folder "$scripts/nightly" --stage "$name" "$@" 2>&1 </dev/null | tee -a -- "$folder/log.txt" || code=$?
  fi
  return "$code"
}

# Report and Markdown of what was measured; 0 where both were made.
write_report() {
  [[ -s $folder/results.json ]] || return 1
  local history=()
  [[ ! -d $state/history ]] || history=(--history "$state/history")
  "$driver" report "$folder" "${history[@]}" -o "$folder/report.html" >>"$folder/log.txt" 2>&1 &&
    "$driver" report "$folder" "${history[@]}" --markdown -o "$folder/summary.md" >>"$folder/log.txt" 2>&1
}

# The whole of a night; ends the script with its exit code.
night() {
  local stages=(build run) code=0 name lock
  [[ -z $update ]] || stages=(update "${stages[@]}")
  mkdir -p -- "$state" || die "cannot make '$state'" "make it writable, or choose another folder with --state"
  exec {lock}>>"$state/lock"
  flock -n "$lock" || { printf 'nightly: another night is not over (%s is locked)\n' "$state/lock" >&2 && exit "$overlap"; }
  make_folder
  : >"$folder/log.txt"
  trap 'printf "interrupted\n" >>"$folder/log.txt"; conclude interrupted 130' INT TERM
  for name in "${stages[@]}"; do
    code=0
    stage_of "$name" "$@" || code=$?
    ((code == 0)) || break
  done
  conclude "$name" "$code"
}

# conclude STAGE CODE: what is left behind, said and tidied; ends the script.
conclude() {
  local name=$1 code=$2
  trap - INT TERM
  if ! write_report; then
    ((code != 0)) || code=$setup_failed
    write_failure "$name" "$code"
  fi
  ((code != 0)) || keep_build || printf 'the build could not be kept in %s\n' "$state/builds" >>"$folder/log.txt"
  rm -rf -- "$folder/plugins"
  printf '%s\n' "$code" >"$folder/exit_code"
  ln -sfn -- "runs/$(basename -- "$folder")" "$state/latest"
  tidy
  [[ -n $quiet && $code == 0 ]] || printf '%s\nreport: %s\n' "$(sed -n '1s/^### //p' "$folder/summary.md")" "$folder/report.html"
  exit "$code"
}
