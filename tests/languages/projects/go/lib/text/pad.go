package text

// Pad fills up.
func Pad(text string, width int) string { return text }
