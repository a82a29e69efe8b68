package shop_test

import "testing"

func TestCart(t *testing.T) {
	t.Run("empty cart", func(t *testing.T) {
		t.Run("twice", func(t *testing.T) {})
	})
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) { check(t, tt) })
	}
}

func FuzzCart(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }

func ExampleCart() {}

func Testify(t *testing.T) {}

func TestHelper(t *testing.T, n int) {}
