// Package calc rounds prices.
package calc

// RoundTo gives cents rounded half up to a multiple of step; a step under two
// leaves cents alone.
func RoundTo(cents, step int) int {
	if step < 2 {
		return cents
	}
	down := cents - cents%step
	if cents-down >= step-(cents-down) {
		return down + step
	}
	return down
}

// Share splits cents into n parts that differ by one cent at most.
func Share(cents, n int) []int {
	if n < 1 {
		return nil
	}
	parts := make([]int, n)
	for i := range parts {
		parts[i] = cents / n
		if i < cents%n {
			parts[i]++
		}
	}
	return parts
}
