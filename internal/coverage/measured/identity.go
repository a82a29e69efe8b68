package measured

import (
	"math"

	"github.com/org/qa-action/internal/jsonscan"
)

// HashID is FNV-1a of line and name with the top bit set, which no packed id has.
func HashID(line int32, name []byte) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for shift := 0; shift < 32; shift += 8 {
		h = (h ^ uint64(byte(line>>shift))) * prime
	}
	for _, c := range name {
		h = (h ^ uint64(c)) * prime
	}
	return h | 1<<63
}

func Int32Of(s *jsonscan.Scanner) int32 {
	n, _ := s.Int() // null is 0: some columns are
	return int32(max(0, min(n, math.MaxInt32)))
}
