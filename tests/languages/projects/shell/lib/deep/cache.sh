cached() { say "cached $1"; }
