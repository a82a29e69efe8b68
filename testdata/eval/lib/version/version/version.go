// Package version parses and orders versions as in Semantic Versioning 2.0.0.
package version

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a parsed version; Build has no part in the order.
type Version struct {
	Major, Minor, Patch uint64
	Pre                 []string
	Build               string
}

// Parse reads "1.2.3-rc.1+abc"; a leading v is accepted.
func Parse(text string) (Version, error) {
	var v Version
	rest, build, _ := strings.Cut(strings.TrimPrefix(text, "v"), "+")
	core, pre, hasPre := strings.Cut(rest, "-")
	parts := strings.Split(core, ".")
	if len(parts) != 3 || hasPre && pre == "" {
		return v, fmt.Errorf("%q is no version", text)
	}
	for i, into := range []*uint64{&v.Major, &v.Minor, &v.Patch} {
		n, err := strconv.ParseUint(parts[i], 10, 64)
		if err != nil {
			return v, fmt.Errorf("%q is no version: %w", text, err)
		}
		*into = n
	}
	if hasPre {
		v.Pre = strings.Split(pre, ".")
	}
	v.Build = build
	return v, nil
}

// Compare is -1, 0 or +1 as a is before, the same as or after b.
func Compare(a, b Version) int {
	for _, p := range [][2]uint64{{a.Major, b.Major}, {a.Minor, b.Minor}, {a.Patch, b.Patch}} {
		if p[0] != p[1] {
			return order(p[0] < p[1])
		}
	}
	switch {
	case len(a.Pre) == 0 && len(b.Pre) == 0:
		return 0
	case len(a.Pre) == 0 || len(b.Pre) == 0:
		return order(len(b.Pre) == 0)
	}
	for i := 0; i < len(a.Pre) && i < len(b.Pre); i++ {
		if c := identifiers(a.Pre[i], b.Pre[i]); c != 0 {
			return c
		}
	}
	if len(a.Pre) == len(b.Pre) {
		return 0
	}
	return order(len(a.Pre) < len(b.Pre))
}

func order(before bool) int {
	if before {
		return -1
	}
	return 1
}

// identifiers orders numbers by value and before words, words by ASCII.
func identifiers(a, b string) int {
	x, errA := strconv.ParseUint(a, 10, 64)
	y, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil && x != y:
		return order(x < y)
	case errA == nil && errB == nil:
		return 0
	case errA == nil || errB == nil:
		return order(errA == nil)
	}
	return strings.Compare(a, b)
}
