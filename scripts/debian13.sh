#!/usr/bin/env bash
# scripts/debian13.sh [COMMAND...]: ./check, or the command, on Debian 13.
exec "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/debian.sh" trixie "$@"
