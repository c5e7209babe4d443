#!/usr/bin/env bash
# What is printed and does not arrive, as on a full disk, is said in a sentence, with status 2.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
errors=$work/errors

# refuse ARGUMENT...: it cannot print, and says so once.
refuse() {
  local status=0
  "$SHUNT" "$@" >/dev/full 2>"$errors" || status=$?
  if ((status != 2)) || [[ $(grep -c '^shunt: ' "$errors") != 1 ]] ||
    ! grep -qx 'shunt: standard output cannot be written: No space left on device' "$errors"; then
    echo "shunt $* on a full disk: status $status and: $(cat "$errors")"
    exit 1
  fi
}

subcommands=$("$SHUNT" --help | sed -n '/^Subcommands:/,$p' | grep -oE '^  [a-z]+')
[[ $(wc -w <<<"$subcommands") -ge 16 ]] || { echo "the subcommands are $subcommands" && exit 1; }
for subcommand in $subcommands; do
  refuse "$subcommand" --help
done
refuse --help
refuse --version

# What is short enough waits for the end, and what is long does not.
for json in '' --json; do
  # shellcheck disable=SC2086
  for arguments in algorithms 'algorithms -P 23' patterns env 'explain -P 8' 'explain -P 100 --row 1' \
    'explain -P 64 --traffic zipf' 'reproduce guo2000' 'predict --no-run -n 4' topo \
    'simulate --machines' 'verify --max-ranks 3' 'verify redistribution --max-places 3' \
    'bench schedule --ranks 1,2 --samples 5' 'simulate --machine sp2 --fast -n 4 --algorithm linear'; do
    refuse $arguments $json
  done
done
refuse draw schedule -P 4
refuse draw schedule -P 61
printf '{"format":"shunt-trace","version":1,"ranks":2,"element_bytes":1,%s,"calls":[]}\n' \
  '"matrices":[{"bytes":2}]' >"$work/exchange.shunt"
printf '\0\0' >>"$work/exchange.shunt"
refuse trace "$work/exchange.shunt"
refuse trace "$work/exchange.shunt" --json

# What ranks print goes through the command that started them.
refuse bench -n 2 --pattern uniform --algorithm linear --mode dual --form plan --rounds 1
refuse topo -n 2 --json

# Who has no output, and prints nothing, lacks nothing.
"$SHUNT" draw schedule -P 4 -o /dev/null >&-
