# Reads the output of `ctest --verbose`, where each line of a test's own output begins with the
# test's number. Prints one line per test, and the last lines of each that failed; writes the
# numbers of cases that passed and failed to the file `counts`. A test that is no program of many
# cases is one case; one that was skipped is none, and its line says why, in the test's last words.

BEGIN { keep = 25 }

/^[0-9]+: / {
  id = $1 + 0
  line = substr($0, index($0, ": ") + 2)
  sub(/\r$/, "", line)
  if (line ~ /^\[==========\] Running /) counted[id] = 1
  if (line ~ /^\[==========\] .* ran\./) ended[id] = 1
  if (line ~ /^\[       OK \] /) ok[id]++
  # With its time it is a case; without, the summary's second mention of it.
  if (line ~ /^\[  FAILED  \] .*\([0-9]+ ms\)$/) bad[id]++
  kept[id, seen[id]++ % keep] = line
  next
}

# " 3/20 Test  #3: mpi.P2 ........   Passed    0.04 sec"
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
  id = substr($0, index($0, "#") + 1) + 0
  rest = substr($0, index($0, ": ") + 2)
  split(rest, word, " ")
  name = word[1]
  good = ok[id] + 0
  wrong = bad[id] + 0
  succeeded = rest ~ / Passed /
  ran_cases = id in counted
  if (rest ~ /\*\*\*Skipped /) {
    printf "    %-16s skipped: %s\n", name, kept[id, (seen[id] + keep - 1) % keep]
    next
  }
  if (!succeeded && wrong == 0) {
    wrong = 1
  } else if (succeeded && ran_cases && good == 0) {
    wrong = 1
    kept[id, seen[id]++ % keep] = "(not one case ran)"
  } else if (succeeded && ran_cases && !(id in ended)) {
    # MPICH's mpirun can end with 0 where a rank aborts.
    wrong++
    kept[id, seen[id]++ % keep] = "(it ended before its last case)"
  } else if (succeeded && !ran_cases) {
    good = 1
  }
  passed += good
  failed += wrong
  sub(/^[^ ]+ [ .]*/, "", rest)
  printf "    %-16s %5d passed, %d failed  %s\n", name, good, wrong, rest
  if (wrong > 0) print_last_lines(id)
  fflush()
}

END { print passed + 0, failed + 0 > counts }

function print_last_lines(id,    first, i) {
  first = seen[id] > keep ? seen[id] - keep : 0
  for (i = first; i < seen[id]; i++) print "        " kept[id, i % keep]
}
