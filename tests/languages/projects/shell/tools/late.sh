say "late"
