// Package cart adds up what a customer buys; amounts are whole cents.
package cart

// Item is one line of a cart.
type Item struct {
	Name         string
	Cents, Count int
}

// Total is what the items cost together.
func Total(items []Item) int {
	sum := 0
	for _, i := range items {
		sum += i.Cents * i.Count
	}
	return sum
}

// Discounted takes ten percent off from 100.00 on.
func Discounted(total int) int {
	if total > 10000 {
		return total - total/10
	}
	return total
}
