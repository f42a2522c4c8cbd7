#!/usr/bin/env bats

load test_helper # => import ./test_helper.bash:*
load '../lib/extra.bash' # => import ../lib/extra.bash:*

setup() { # => def function setup
  source "$BATS_TEST_DIRNAME/lib/log.sh" # => import ./lib/log.sh:* (lazy)
}

# It says so.
@test "an error is written to stderr" { # => def function an error is written to stderr
  run log_error "x" # => call *.log_error; call *.run
  [ "$status" -eq 0 ] # => read *.status
}
