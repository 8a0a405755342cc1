# Messages of the scripts: numbered steps, a heartbeat for long commands, one shape of error. All of it goes to stderr,
# so that stdout stays the program's. Sourced by the scripts; needs bash.

readonly setup_failed=10 # exit code of every failure before the program itself runs

if [[ -t 2 && -z "${NO_COLOR:-}" && "${TERM:-dumb}" != dumb ]]; then
  bold=$'\e[1m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' red='' plain=''
fi

step_count=2 # of the set-up alone; a script that goes on says how many it has

# step 2 "LibTorch 2.13.0: downloading"
step() { printf '%s[%s/%s]%s %s\n' "$bold" "$1" "$step_count" "$plain" "$2" >&2; }

note() { printf '%s==%s %s\n' "$bold" "$plain" "$1" >&2; }

# die PROBLEM [CURE]: the one way out when something is wrong.
die() {
  printf '%serror:%s %s\n' "$red$bold" "$plain" "$1" >&2
  [[ -z "${2:-}" ]] || printf '  what to do: %s\n' "$2" >&2
  exit "$setup_failed"
}

# Tells how far a long command is: a live line on a terminal, else one line every 15 seconds.
# heartbeat SECONDS [FOLDER]: with a folder, also how much has been written into it.
heartbeat() {
  local text="${1} s"
  [[ -z "${2:-}" ]] || text+=", $(du -sm -- "$2" 2>/dev/null | cut -f1) MB written"
  if [[ -t 2 ]]; then
    printf '\r\e[K      ... %s' "$text" >&2
  elif (($1 % 15 == 0)); then
    printf '      ... %s\n' "$text" >&2
  fi
}

# watched LOG FOLDER COMMAND...: runs the command with its output in LOG and a heartbeat (FOLDER may be empty).
# Gives the command's exit code. Ctrl-C and TERM end the command too.
watched() {
  local log=$1 folder=$2 started=$SECONDS told=0 code=0 pid
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    ((SECONDS - started > told)) || continue
    told=$((SECONDS - started))
    heartbeat "$told" "$folder"
  done
  wait "$pid" || code=$?
  trap - INT TERM
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
  return "$code"
}

# The reason of a failed download, from its log: network or something else.
looks_like_no_network() {
  grep -qiE 'temporary failure|could not resolve|name resolution|network is unreachable|failed to establish|could not connect|connection (failed|refused|timed out)|cannot initiate the connection' "$1"
}
