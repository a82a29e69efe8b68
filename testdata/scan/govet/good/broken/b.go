package broken

func size(s string) int {
	return len(s)
}
