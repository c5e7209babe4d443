#!/usr/bin/env bash
# `shunt env` lists all variables that the sources read, what they are now, and what is wrong.
set -euo pipefail

fail() {
  echo "$1"
  exit 1
}

for width in "$("$SHUNT" env | wc --max-line-length)" \
  "$(SHUNT_STATS=/some/folder/with/a/name/of/some/length/stats.json "$SHUNT" env |
    wc --max-line-length)"; do
  ((width <= 80)) || fail "lines of $width characters"
done

# What is read where it is needed is in the table, too; and what is in the table is read: by the row
# or there.
read_elsewhere=$(grep -rhoE '(getenv|variable)\("SHUNT_[A-Z_]+' src tools lab |
  grep -oE 'SHUNT_.*' | sort -u)
listed=$("$SHUNT" env --json | grep -oE '"variable": "SHUNT_[A-Z_]+"' |
  grep -oE 'SHUNT_[A-Z_]+' | sort -u)
(($(wc -l <<<"$listed") >= 20)) || fail "only these are listed: $listed"
unlisted=$(comm -23 <(echo "$read_elsewhere") <(echo "$listed"))
[[ -z $unlisted ]] || fail "read by the sources, and not listed: $unlisted"
for name in $listed; do
  grep -qx "$name" <<<"$read_elsewhere" ||
    awk -v row="\"$name\"" 'index($0, row) { found = 1 } found { text = text $0 }
      found && /}/ { exit text !~ /read_|check_/ }' src/environment/variables.cpp ||
    fail "nothing reads $name"
done

grep -qE '^SHUNT_MODE +single +dual' <<<"$(SHUNT_MODE=single SHUNT_STATS=a.json "$SHUNT" env)" ||
  fail 'the value is not shown'
grep -qF '"value": "/a/rather/long/name.json"' \
  <<<"$(SHUNT_STATS=/a/rather/long/name.json "$SHUNT" env --json)" || fail 'the value is not whole in JSON'

# refuse SENTENCE VARIABLE VALUE
refuse() {
  local status=0 errors
  errors=$(env "$2=$3" "$SHUNT" env 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ $errors != "shunt: $1" ]]; then
    fail "$2=$3: status $status and: $errors"
  fi
}
refuse 'SHUNT_MODE is "fast"; it is one of blocking, single and dual' SHUNT_MODE fast
refuse 'SHUNT_PACKET is "x"; it is a number of bytes, or 0' SHUNT_PACKET x
refuse 'SHUNT_EFFORT is "more"; it is one of estimate, measure and patient' SHUNT_EFFORT more
refuse 'SHUNT_LEARN is "yes"; it is 0 or 1' SHUNT_LEARN yes
refuse 'SHUNT_MEMORY is "64X"; it is a number of bytes, with K, M or G behind it for 2^10, 2^20 or 2^30 of them, or 0' \
  SHUNT_MEMORY 64X
grep -qE '^SHUNT_MEMORY +64M +no limit' <<<"$(SHUNT_MEMORY=64M "$SHUNT" env)" ||
  fail 'the limit is not shown'
refuse 'SHUNT_VERBOSE is "2"; it is 0 or 1' SHUNT_VERBOSE 2
refuse 'SHUNT_ALGORITHM: "linear shared=maybe" is no way to make an exchange: "shared=maybe" is not understood' \
  SHUNT_ALGORITHM 'linear shared=maybe'
SHUNT_ALGORITHM='linear shared=once' "$SHUNT" env >/dev/null || fail 'an algorithm with options is refused'
refuse 'SHUNT_TORUS: "" in "8x" is not understood; it must be positive extents, as 4x4x2' SHUNT_TORUS 8x
refuse 'SHUNT_NODES: the nodes "/nowhere/at/all" must be given as blocked:16, round-robin:4, 4,4,2 or the name of a file' \
  SHUNT_NODES /nowhere/at/all
for nodes in blocked:3 round-robin:2000 4,4,2; do
  SHUNT_NODES=$nodes "$SHUNT" env >/dev/null || fail "SHUNT_NODES=$nodes is refused"
done

# All that is wrong is named, and what is no variable.
# shellcheck disable=SC2016
diff -u <(
  cat <<'SENTENCES'
shunt: SHUNT_MODE is "fast"; it is one of blocking, single and dual
shunt: SHUNT_PACKET is "x"; it is a number of bytes, or 0
shunt: there is no algorithm "a9"; `shunt algorithms` lists them
shunt: SHUNT_ALGORITM is set, but there is no such variable; `shunt env` lists them
shunt: SHUNT_STAT is set, but there is no such variable; `shunt env` lists them
SENTENCES
) <(SHUNT_STAT=a SHUNT_ALGORITM=linear SHUNT_MODE=fast SHUNT_PACKET=x SHUNT_ALGORITHM=a9 "$SHUNT" env 2>&1 >/dev/null) ||
  fail 'not all faults are named'

# Names are as wide as they look, and JSON, whatever they are.
width=$(SHUNT_STATS=/größe/プログラム/größe/プログラム.json LC_ALL=C.UTF-8 "$SHUNT" env |
  LC_ALL=C.UTF-8 wc --max-line-length)
((width <= 80)) || fail "lines of $width characters"
grep -qF '"value": "/größe/プログラム.json"' <<<"$(SHUNT_STATS=/größe/プログラム.json "$SHUNT" env --json)" ||
  fail 'the name is another in JSON'
grep -qF $'"value": "\xef\xbf\xbd"' <<<"$(SHUNT_STATS=$'\xff' "$SHUNT" env --json)" ||
  fail 'a name that is no UTF-8 is not in JSON'

# shellcheck disable=SC2016
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' SHUNT_ALGORITHM a9
# shellcheck disable=SC2016
refuse 'there is no all-gather algorithm "linear"; `shunt algorithms --allgather` lists them' SHUNT_ALLGATHER linear
