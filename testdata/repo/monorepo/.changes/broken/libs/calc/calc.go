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
		return down + steps
	}
	return down
}
