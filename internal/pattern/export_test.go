package pattern

// Compile compiles all patterns, and counts them.
func Compile() int {
	for _, p := range all {
		p.re()
	}
	return len(all)
}
