package panics

import "testing"

func TestBefore(t *testing.T) {}

func TestPanics(t *testing.T) {
	t.Run("inner", func(t *testing.T) {
		var m map[string]int
		m["a"] = 1
	})
}

func TestNever(t *testing.T) {}
