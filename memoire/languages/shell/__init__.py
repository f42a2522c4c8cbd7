"""Shell scripts: sh, bash, zsh, ksh and bats."""
