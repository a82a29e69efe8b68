package cart

import "errors"

// ErrTooHeavy is returned for what no carrier takes.
var ErrTooHeavy = errors.New("heavier than 30 kg")

// Shipping is what it costs to send a parcel of that weight.
func Shipping(grams int, express bool) (int, error) {
	if grams > 30000 {
		return 0, ErrTooHeavy
	}
	cents := 490
	if grams > 2000 {
		cents += (grams - 2000) / 1000 * 50
	}
	if express {
		cents *= 2
	}
	return cents, nil
}
