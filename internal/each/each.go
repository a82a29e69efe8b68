// Package each makes lists of lists, where a loop that only appends would say less.
// Nothing in, nil out: nobody has to ask before.
package each

import (
	"cmp"
	"slices"
)

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

// Count is how many items there are for which holds is true.
func Count[T any](all []T, holds func(T) bool) int { return len(Where(all, holds)) }

// First is the first item for which holds is true; false when there is none.
func First[T any](all []T, holds func(T) bool) (one T, ok bool) {
	if i := slices.IndexFunc(all, holds); i >= 0 {
		return all[i], true
	}
	return one, false
}

// By has the items by their key. Of several with one key the last stays.
func By[T any, K comparable](all []T, key func(T) K) map[K]T {
	out := make(map[K]T, len(all))
	for _, one := range all {
		out[key(one)] = one
	}
	return out
}

// Set has the items of all lists.
func Set[T comparable](lists ...[]T) map[T]bool {
	out := map[T]bool{}
	for _, one := range slices.Concat(lists...) {
		out[one] = true
	}
	return out
}

// Sorted has the items of all lists in order, each once.
func Sorted[T cmp.Ordered](lists ...[]T) []T {
	out := slices.Concat(lists...)
	slices.Sort(out)
	return slices.Compact(out)
}

// Differ lists, sorted, the keys of was that are gone or have another value now, and those
// that are new.
func Differ[K cmp.Ordered, V comparable](was, now map[K]V) (changed, made []K) {
	for key, v := range was {
		if other, ok := now[key]; !ok || other != v {
			changed = append(changed, key)
		}
	}
	for key := range now {
		if _, ok := was[key]; !ok {
			made = append(made, key)
		}
	}
	slices.Sort(changed)
	slices.Sort(made)
	return changed, made
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
