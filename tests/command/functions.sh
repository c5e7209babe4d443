#!/usr/bin/env bash
# What the build makes of the list of functions: a function that is only passed on is one line, and
# what the list or a template says wrong is a sentence.
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

folder=src/bindings/functions
awk=(awk -f "$folder/read.awk" -f "$folder/c.awk" -f "$folder/fortran.awk")

# refuse WORDS LIST [TEMPLATE]: the list and the template are refused so.
refuse() {
  local errors
  printf '%s\n' "$2" >"$work/list"
  printf '%s\n' "${3-@functions@}" >"$work/template"
  if errors=$("${awk[@]}" "$work/list" "$work/template" 2>&1 >/dev/null); then
    fail "taken: $2, ${3-}"
  fi
  grep -qF "$1" <<<"$errors" || fail "not \"$1\" but: $errors"
}

for template in include/shunt/*.in src/bindings/*.in src/bindings/fortran/*.in; do
  "${awk[@]}" "$folder/functions.txt" "$template" >"$work/made" || fail "$template is refused"
  ! grep -n '@[a-z0-9_]*@' "$work/made" || fail "something is left to be made of $template"
done

echo 'Reduce_scatter | pass | sendbuf | recvbuf recvcounts type op | comm' >"$work/list"
printf '@%s@\n' passed wide_passed >"$work/template"
"${awk[@]}" "$work/list" "$work/template" >"$work/made" || fail 'a pass-through is refused'
grep -qF 'row(Reduce_scatter, (const void* sendbuf, void* recvbuf, const int recvcounts[], '\
'MPI_Datatype type, MPI_Op op, MPI_Comm comm), (sendbuf, recvbuf, recvcounts, type, op, comm))' \
  "$work/made" || fail "no pass-through: $(cat "$work/made")"
grep -qF 'const MPI_Count recvcounts[]' "$work/made" || fail 'no pass-through of wide counts'
# Nothing else is made of it.
refuse 'there is no fragment generics' "$(cat "$work/list")" @generics@
refuse 'there is no fragment prototypes' "$(cat "$work/list")" @prototypes@

right='Alltoall | alltoallv | sendbuf sendcount sendtype | recvbuf recvcount recvtype | comm'
refuse 'a function has 5 columns' 'Alltoall | alltoallv | sendbuf sendcount sendtype | comm'
refuse 'the name of the argument flags does not say what it is' "$right flags"
refuse 'there is no fragment nothing' "$right" @nothing@
refuse 'a fragment has a line of its own' "$right" 'x @functions@'
