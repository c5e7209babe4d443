#!/usr/bin/env bash
# Matrix Market files of every kind as traffic: what `bench`, `explain`, `simulate`, `draw` and
# `predict` make of them is what they make of a trace whose counts awk adds up from the same file.
# Wrong files are refused in one sentence, by all of them.
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

cd "$work"

ranks=3

# matrix NAME FIELD SYMMETRY ROWS COLUMNS: a quarter of the entries that such a file may have.
matrix() {
  awk -v field="$2" -v symmetry="$3" -v rows="$4" -v columns="$5" '
    function drawn(below) { state = state * 16807 % 2147483647; return state % below }
    BEGIN {
      state = 12345
      for (row = 1; row <= rows; ++row) {
        last = symmetry == "general" ? columns : symmetry == "skew-symmetric" ? row - 1 : row
        for (column = 1; column <= last; ++column) {
          if (drawn(4) != 0) continue
          line[++entries] = row " " column
          if (field == "integer") line[entries] = line[entries] " " drawn(100)
          if (field == "real") line[entries] = line[entries] " -1.5D+03"
          if (field == "complex") line[entries] = line[entries] " 2.5e-1 " (row == column ? 0 : -1)
        }
      }
      print "%%MatrixMarket matrix coordinate " field " " symmetry
      print "% a comment\n\n" rows " " columns " " entries
      for (entry = 1; entry <= entries; ++entry) print line[entry]
    }' >"$1.mtx"
}

# counts NAME: a line for each rank, with its count for each rank, by the rules of docs/formats.md.
counts() {
  awk -v ranks=$ranks '
    function owner(index_, all) { return int((index_ - 1) / int((all + ranks - 1) / ranks)) }
    { sub(/\r$/, "") }
    NR == 1 { field = tolower($4); symmetry = tolower($5); next }
    NF == 0 || $1 ~ /^%/ { next }
    !rows { rows = $1; columns = $2; next }
    {
      is_count = field == "integer" && rows == ranks && columns == ranks && symmetry != "skew-symmetric"
      count = is_count ? $3 : 1
      sum[owner($1, rows), owner($2, columns)] += count
      if (symmetry != "general" && $1 != $2) sum[owner($2, rows), owner($1, columns)] += count
    }
    END {
      for (from = 0; from < ranks; ++from) {
        for (to = 0; to < ranks; ++to) printf "%d ", sum[from, to]
        print ""
      }
    }' "$1.mtx"
}

# trace NAME: a trace of these counts, each of which takes one byte.
trace() {
  local code bytes
  code=$(counts "$1" | awk '{
    blocks = ""; number = 0; before = -1
    for (to = 0; to < NF; ++to) {
      if ($(to + 1) == 0) continue
      if ($(to + 1) > 127) exit 1
      blocks = blocks sprintf("\\0%03o\\0%03o", to - before - 1, $(to + 1)); before = to; ++number
    }
    printf "\\0%03o%s", number, blocks
  }') || fail "$1: a count takes more than a byte"
  bytes=$((${#code} / 5))
  printf '{"format":"shunt-trace","version":1,"ranks":%d,"element_bytes":1,%s,"calls":[]}\n%b' \
    $ranks "\"matrices\":[{\"bytes\":$bytes}]" "$code" >"$1.shunt"
}

# alike NAME ARGUMENT...: the command says the same of the matrix, which stands for MATRIX among the
# arguments, as of the trace. The names are of one length, as lines are broken by that.
alike() {
  local name=$1 of_matrix of_trace
  shift
  cp "$name.mtx" "a-$name.mtx"
  of_matrix=$("$SHUNT" "${@/MATRIX/a-$name.mtx}") || fail "$name: $*"
  of_trace=$("$SHUNT" "${@/MATRIX/$name.shunt}") || fail "the trace of $name: $*"
  diff - <(echo "$of_matrix") <<<"${of_trace//$name.shunt/a-$name.mtx}" ||
    fail "$name is not the traffic that it should be: $*"
}

# counted NUMBER NOUN
counted() {
  if (($1 == 1)); then echo "1 $2"; else echo "$1 $2s"; fi
}

# figure KEY: a number in JSON on standard input.
figure() {
  tr -d '\n' | sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"
}

machine=$work/flat.json
cat >"$machine" <<'JSON'
{"format": "shunt-machine", "version": 1, "about": "a test", "source": "nowhere",
 "topology": "flat", "nodes": 8, "ranks_per_node": 1, "start_up": 10e-6, "per_byte": 1e-9,
 "memory_start_up": 1e-6, "memory_per_byte": 1e-10, "copy_per_byte": 0}
JSON

bench() {
  # shellcheck disable=SC2086
  $SHUNT_MPIRUN -n $ranks "$SHUNT" bench --algorithm linear --mode dual --form plan --rounds 1 "$@"
}

# check_matrix NAME: all commands, and their figures beside those of awk.
check_matrix() {
  local name=$1 longest sent load output title
  trace "$name"
  alike "$name" explain -P $ranks --algorithm linear --traffic MATRIX --json
  alike "$name" explain -P $ranks --algorithm four-stage --pattern MATRIX
  alike "$name" draw traffic -P $ranks --algorithm four-stage --traffic MATRIX
  alike "$name" draw links -P $ranks --algorithm torus-split:1x3 --pattern MATRIX
  alike "$name" simulate --machine "$machine" -n $ranks --fast --pattern MATRIX --algorithm linear --json
  alike "$name" predict -n $ranks --no-run --traffic MATRIX --algorithm linear --json
  read -r longest sent load < <(counts "$name" | awk '{
      sum = 0
      for (to = 1; to <= NF; ++to) {
        sum += $to; in_[to] += $to
        if ($to > longest) longest = $to
      }
      if (sum > sent) sent = sum
    } END {
      load = sent
      for (to in in_) if (in_[to] > load) load = in_[to]
      print longest + 0, 8 * sent, 8 * load
    }')
  output=$("$SHUNT" explain -P $ranks --algorithm linear --traffic "$name.mtx" --json)
  [[ $(figure largest_load_bytes <<<"$output") == "$load" ]] || fail "$name: not $load bytes: $output"
  output=$(bench --pattern "$name.mtx" --maximum 8 64)
  [[ $(grep -c '^algorithm ' <<<"$output") == 1 ]] || fail "$name is timed twice: $output"
  title="$name.mtx on $ranks ranks, blocks up to $(counted "$longest" element) of 8 bytes, "
  title+="at most $(counted "$sent" byte) a rank"
  [[ $(sed '/^algorithm /,$d' <<<"$output" | tr '\n' ' ') == "$title " ]] ||
    fail "$name: blocks up to $longest elements, at most $sent bytes, but: $output"
  grep -qE '^verified [0-9]+ exchanges, 0 wrong bytes$' <<<"$output" || fail "$name: $output"
}

for kind in 'general real general 40 40' 'integral integer general 31 31' \
  'counts integer general 3 3' 'twins integer symmetric 3 3' 'pattern pattern general 40 40' \
  'symmetric real symmetric 40 40' 'mesh pattern symmetric 35 35' 'skew real skew-symmetric 40 40' \
  'turns integer skew-symmetric 3 3' 'complex complex general 32 32' \
  'mirror complex symmetric 40 40' 'hermitian complex Hermitian 40 40' \
  'wide real general 10 100' 'tall pattern general 100 10' 'single real general 1 40'; do
  # shellcheck disable=SC2086
  matrix $kind
  check_matrix "${kind%% *}"
done

# As other systems and other hands write it, without an end of the last line.
printf '%s\r\n' '%%matrixmarket MATRIX Coordinate Complex HERMITIAN' '' '%' ' % two' '  +7 7  3' ' ' \
  $'7\t1 +1. -.5e0' '%% between' '' $' +7\t7 1d0 0' >by_hand.mtx
printf '2 1 1.5-103 NaN' >>by_hand.mtx
check_matrix by_hand
huge=1099511627776
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' "$huge $((huge - 7)) 3" \
  "$huge 1" "1 $((huge - 7))" "$((huge / 2)) $((huge / 2))" >huge.mtx
check_matrix huge
printf '%%%%MatrixMarket matrix coordinate real symmetric\n90 90 0\n' >empty.mtx
check_matrix empty

# A file has the load that it has, whatever is asked for.
output=$(bench --traffic wide.mtx --load 10 1000 --json)
[[ $(grep -c '"pattern": "wide.mtx"' <<<"$output") == 1 ]] || fail "wide is timed twice: $output"
sent=$(figure largest_send_bytes <<<"$output")
output=$("$SHUNT" bench grid -n $ranks --pattern wide.mtx --load 10 1000 --algorithm linear --form plan \
  --rounds 1 --most-rounds 0 --json 2>errors) || fail "bench grid: $(cat errors)"
[[ $(grep -c '"pattern":"wide.mtx"' <<<"$output") == 1 ]] || fail "wide has two cells: $output"
grep -q "\"load\":$sent," <<<"$output" || fail "wide has not a load of $sent bytes: $output"
grep -q "^$ranks ranks, 1 of 1: wide.mtx of " errors || fail "bench grid: $(cat errors)"
"$SHUNT" patterns | grep '^FILE.mtx ' >/dev/null || fail 'no matrix among the patterns'

# refuse SENTENCE: bad.mtx, by everything that takes a traffic: status 2, and this alone.
refuse() {
  local command status output
  for command in "explain -P $ranks --traffic" "draw traffic -P $ranks --traffic" \
    "simulate --machine $machine -n $ranks --fast --pattern" "predict -n $ranks --no-run --pattern" \
    "bench -n $ranks --pattern" "bench grid -n $ranks --pattern"; do
    status=0
    # shellcheck disable=SC2086
    output=$("$SHUNT" $command bad.mtx 2>&1) || status=$?
    if ((status != 2)) || [[ $output != "shunt: bad.mtx$1" ]]; then
      fail "$command bad.mtx: status $status, not \"$1\", but: $output"
    fi
  done
}

# bad BANNER LINE...
bad() {
  printf '%s\n' "%%MatrixMarket $1" "${@:2}" >bad.mtx
}

bad 'matrix array real general' '2 1' 1 2
refuse ':1: the format is "array", but must be coordinate, that of sparse matrices'
bad 'vector coordinate real general' '2 1' '1 5'
refuse ':1: the object is "vector", but must be matrix'
bad 'matrix coordinate real skew-symmetric' '2 2 1' '2 2 0'
refuse ':3: row 2, column 2 is on the diagonal, but the entries of a skew-symmetric matrix must be below it'
bad 'matrix coordinate real symmetric' '2 2 1' '1 2 5'
refuse ':3: row 1, column 2 is above the diagonal, but the entries of a symmetric matrix must be on or below it'
bad 'matrix coordinate real general' '2 2 1' '% 3' '2 3 5'
refuse ':4: the column is "3", but must be a whole number from 1 to 2'
bad 'matrix coordinate complex general' '2 2 1' '2 2 5'
refuse ':3: an entry of the field complex must have 4 words, row, column, real and imaginary part, but the line has 3'
bad 'matrix coordinate pattern general' '2 2 2' '2 2'
refuse ':3: the file ends after 1 of 2 entries'
bad 'matrix coordinate pattern general' '2 2 1' '2 2' '' '1 1'
refuse ':5: there are more than 1 entries'
gzip -c wide.mtx >bad.mtx
refuse ': the file is compressed by gzip; unpack it first'
printf '\n<!DOCTYPE html>\n<html><body>Not found</body></html>\n' >bad.mtx
refuse ': the file is a web page (HTML), and not what was to be fetched from there'
