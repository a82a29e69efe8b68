// Package shop sells things.
package shop

import (
	"errors"

	"example.com/team/goapp/stock"
)

// ErrNegative is returned for amounts below zero.
var ErrNegative = errors.New("negative amount")

// Price adds the tax.
func Price(amount, rate float64) (float64, error) {
	if amount < 0 {
		return 0, ErrNegative
	}

	// Large amounts get a discount.
	switch {
	case amount > 100:
		return amount * (1 + rate) * 0.9, nil
	default:
		return amount * (1 + rate), nil
	}
}

// Total sums a basket.
func Total(amounts ...float64) (sum float64) {
	each := func(a float64) { sum += a }
	for _, a := range amounts {
		each(
			a,
		)
	}
	if sum == 0 {
		return
	}
	return sum * stock.Factor()
}

func never() {}
