// Package each makes lists of lists, where a loop that only appends would say less.
// Nothing in, nil out: nobody has to ask before.
package each

import "slices"

// Of has what of makes of each item, in their order.
func Of[T, R any](all []T, of func(T) R) []R {
	var out []R
	for _, one := range all {
		out = append(out, of(one))
	}
	return out
}

// Where has the items for which holds is true, in their order.
func Where[T any](all []T, holds func(T) bool) []T {
	var out []T
	for _, one := range all {
		if holds(one) {
			out = append(out, one)
		}
	}
	return out
}

// Added is list with those of more after it that it lacks, each once.
func Added[T comparable](list []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}
