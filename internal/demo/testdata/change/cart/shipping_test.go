package cart

import "testing"

func TestShipping(t *testing.T) {
	if got, err := Shipping(500, false); err != nil || got != 490 {
		t.Errorf("Shipping(500, false) = %d, %v, want 490", got, err)
	}
}
