package store

// Checked shows what tests outside may not see.
func Checked(s *Store) int { return len(s.items) }
