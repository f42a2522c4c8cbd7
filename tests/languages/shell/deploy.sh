#!/usr/bin/env bash
# Ships the application to a host.
set -euo pipefail

SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)" # => def variable SCRIPT_DIR
source "$SCRIPT_DIR/lib/log.sh" # => import ./lib/log.sh:*; read SCRIPT_DIR
. "${SCRIPT_DIR}/../shared/net.sh" # => import ../shared/net.sh:*
source /etc/profile
source "$UNKNOWN/lib.sh" # => read *.UNKNOWN

readonly TARGET="${1:-staging}" # => def variable TARGET
export REGION=${REGION:-eu} # => def variable REGION; read REGION
count=0 # => def variable count
declare -a hosts=(a "$TARGET") # => def variable hosts; read TARGET
alias ll='ls -l' # => def macro ll

# Says what went wrong, and ends.
die() { # => def function die
  log_error "$1" # => call *.log_error
  exit 1
}

function build { # => def function build
  local count=5 name
  count=$((count + 1))
  mkdir -p out && cp -r src/* out/ # => effect file_io cp; effect file_io mkdir; call *.cp; call *.mkdir
  sed -i "s/x/$name/" out/config # => effect file_io sed -i; call *.sed
  sed "s/x/y/"
  tar czf - out | ssh "$TARGET" 'tar xzf -' # => effect file_io tar; effect network ssh; read TARGET; call *.ssh; call *.tar
}

push() ( # => def function push
  count=$((count + 1)) # => read+write count
  for host in "${hosts[@]}"; do # => read hosts
    curl -fsS "https://$host/hook" > /dev/null 2>&1 # => effect network curl; call *.curl
    echo "$host" >> pushed.log # => effect ui echo; effect file_io >>
  done
  case "$TARGET" in # => read TARGET
    prod|live) git push origin main ;; # => effect network git push; effect subprocess git; call *.git
    (dev) die "no ) here" ;; # => call die
    *) sudo -u app systemctl restart app # => effect subprocess sudo; effect subprocess systemctl; call *.sudo
  esac
)

cat <<EOT > notes.log # => effect file_io >; call *.cat
rm -rf /  is text; $(date +%s) runs, ${TARGET} is read # => effect clock date; call *.date
EOT
cat <<'EOT' | psql "$DATABASE_URL" # => effect database psql; read *.DATABASE_URL; call *.psql
curl $(build) $TARGET
EOT

trap die ERR # => call die
if [[ -n "$REGION" && $REGION =~ ^(eu|us)$ ]]; then
  build # => call build
elif ((count > 3)); then # => read count
  "$SCRIPT_DIR/tools/check.sh" --all # => import ./tools/check.sh (dynamic); call ./tools/check.sh; effect subprocess check.sh
else
  python3 -u tools/report.py "$count" # => import tools/report.py (dynamic); call tools/report.py; effect subprocess python3; call *.python3
  bash -c 'echo build' # => effect subprocess bash; call *.bash
fi
result=$(push "`build`") # => def variable result; call push
echo "build ${#result} $HOME # no comment" # => effect ui echo; read result; read *.HOME; effect env HOME
docker compose up -d; redis-cli ping; sqlite3 x.db # => effect subprocess docker compose; effect cache redis-cli; effect database sqlite3; call *.docker; call *.redis-cli; call *.sqlite3
find . -name '*.o' -exec rm {} + # => effect file_io find; effect file_io rm; call *.find
die
build

PSQL="psql -q" # => def variable PSQL
$PSQL -c 'select 1' # => effect database psql; read PSQL
if [ -f "$TARGET" ] || [[ $1 == -e || -d "$2" ]]; then # => effect file_io test -d; effect file_io test -f
  grep -q "^$1=" "$TARGET" && sort -k 2 | head -n 5 | sha256sum # => effect file_io grep; call *.grep; call *.head; call *.sha256sum; call *.sort
fi
[ "$1" = "-d" ] || [ -e /dev/null ]
nohup env A=1 mandb -q & # => effect subprocess nohup; effect env env; effect subprocess mandb; call *.nohup
echo x | jq -r --arg a "$1" .x # => effect ui echo; call *.jq
exec "$@" # => effect subprocess exec
