# shellcheck shell=bash
# Sourced by the scripts of the cluster.

# What ctest takes for "skipped".
readonly refused=77

readonly refusal="cluster: cannot make hosts here: "
refuse() {
  echo "$refusal$*" >&2
  exit "$refused"
}

# allowed COMMAND...: runs what the system may refuse, and then gives its reason.
allowed() {
  local words
  words=$("$@" 2>&1) || refuse "\`$*\` failed${words:+: ${words##*$'\n'}}"
}

# mount_anew TYPE FOLDER: what is mounted here is seen nowhere else.
mount_anew() {
  local target
  target=$(findmnt --noheadings --output TARGET --target "$2" 2>/dev/null | tail -n 1) || true
  [[ -n $target ]] || refuse "$2 is on no mount"
  allowed mount --make-private "$target"
  allowed mount -t "$1" "$1" "$2"
}
