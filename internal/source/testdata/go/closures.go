// Package shop has one of each kind of Go function.
package shop

import (
	"fmt"
	str "strings"

	_ "embed"
	"github.com/acme/go-money/v2"
)

// Cart holds lines.
type Cart[T any] struct{ lines []T }

// Add appends a line.
//
//go:noinline
func (c *Cart[T]) Add(line T, more ...T) (n int, err error) {
	if c == nil || line == *new(T) {
		return 0, fmt.Errorf("no cart %v", line)
	}
	for _, m := range more {
		switch any(m).(type) {
		case int, string:
			c.lines = append(c.lines, m)
		default:
			go func() { c.Add(m) }()
		}
	}
	return len(c.lines), nil
}

func (c Cart[T]) total() money.Money {
	sum := func(a, b money.Money) money.Money {
		if a.IsZero() && !b.IsZero() {
			return b
		}
		return a.Plus(b)
	}
	return Map[T, money.Money](c.lines, price[T]).reduce(sum)
}

// Map is generic.
func Map[T, U any](in []T, f func(T) U) list[U] {
	var out []U
	for i := range in {
		out = append(out, f(in[i]))
	}
	return out
}

var Upper = func(s string) string { return str.ToUpper(s) }

var handlers = map[string]func(){
	"a": func() { fmt.Println("a") },
}

func external()

func wait(a, b <-chan int) int {
	select {
	case v := <-a:
		return v
	case <-b:
	default:
	}
	return 0
}

func label(n int) string {
	text := fmt.Sprintf("%d pieces", n)
	return text + "."
}
