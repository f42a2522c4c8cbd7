#!/bin/sh
# Shows memoire at work on the example project: examples/demo.sh FOLDER [MEMOIRE]
#
# FOLDER is emptied. HOME points into it for the time of the demo, so nothing of yours is read or changed.
set -eu

folder=$1
memoire=${2:-memoire}
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$folder"
mkdir -p "$folder/home"
folder=$(cd "$folder" && pwd)
export HOME="$folder/home"
case $memoire in */*) export PATH="${memoire%/*}:$PATH" ;; esac # as after an installation
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR

git init -q "$folder/orders"
git -C "$folder/orders" fast-import --quiet < "$here/orders.fast-import"
git -C "$folder/orders" checkout -q main
cd "$folder/orders"

trap '"$memoire" stop >/dev/null 2>&1 || true' EXIT
trap 'exit 130' INT TERM

step() {
    printf '\n$ memoire %s\n' "$*"
    "$memoire" "$@"
}

step init --yes
step ingest
step context --budget 1200
step expand src/orders/pricing.py
step search "retry payment"
step stop

printf '\nThe example is in %s.\n' "$folder/orders"
