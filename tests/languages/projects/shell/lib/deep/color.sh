red() { printf '%s' "$1"; }
