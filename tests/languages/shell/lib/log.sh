# Logging for all scripts. See docs/logging.md. # => cite docs/logging.md

LOG_LEVEL=info # => def variable LOG_LEVEL

# Writes an error.
log_error() { # => def function log_error
  printf '%s\n' "$*" >&2 # => effect ui printf
  LOG_LEVEL=error # => write LOG_LEVEL
  _seen=1
}

function log::info () { # => def function log::info
  local message=$1
  logger "$message" # => effect logging logger
  log_error "$LOG_LEVEL" "$message" # => call log_error; read LOG_LEVEL
  command -v curl >/dev/null || wget -q x # => effect network wget
}

curl() { # => def function curl
  command curl --retry 3 "$@" # => effect network curl
}
curl https://example.org # => call curl
sleep "$RANDOM" # => effect clock sleep; effect random RANDOM
