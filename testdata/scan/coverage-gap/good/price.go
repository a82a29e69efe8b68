package price

func Discount(amount, rate int) int {
	if rate > 50 {
		rate = 50
	}
	off := amount * rate
	off /= 100
	return amount - off
}

func Tax(amount int) int {
	if amount > 1000 {
		return amount / 4
	}
	return amount / 5
}
