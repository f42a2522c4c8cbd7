#!/usr/bin/env bash
set -eu
HERE="$(cd -P "$(dirname "${BASH_SOURCE[0]}")" > /dev/null && pwd)"
ROOT="$(dirname "$HERE")"
LIB="$ROOT/lib"
source "${BASH_SOURCE%/*}/../lib/log.sh"
. "$LIB/net.sh"
say "started"
fetch nothing
cd "$ROOT"
. tools/late.sh
