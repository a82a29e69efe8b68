// Package quota decides how much of a byte allowance requests may take.
package quota

import (
	"errors"
	"fmt"
	"math"
)

// ErrExceeded says that a request is larger than what is left.
var ErrExceeded = errors.New("quota exceeded")

// Bucket is an allowance of bytes. It is not safe for concurrent use.
type Bucket struct {
	limit int64
	used  int64
}

// New makes a bucket of limit bytes; a negative limit is none at all.
func New(limit int64) *Bucket { return &Bucket{limit: max(0, limit)} }

// Left is the number of bytes that may still be taken.
func (b *Bucket) Left() int64 { return b.limit - b.used }

// Take takes count items of size bytes each, or nothing and ErrExceeded.
func (b *Bucket) Take(count, size int64) error {
	if count < 0 || size < 0 {
		return fmt.Errorf("take %d items of %d bytes: negative", count, size)
	}
	if size > 0 && count > b.Left()/size {
		return fmt.Errorf("take %d items of %d bytes: %w", count, size, ErrExceeded)
	}
	b.used += count * size
	return nil
}

// Give returns bytes; more than were taken is all of them.
func (b *Bucket) Give(bytes int64) {
	b.used = max(0, b.used-max(0, bytes))
}

// Percent is how much of the limit is used, rounded down; a bucket without a
// limit is full.
func (b *Bucket) Percent() int {
	if b.limit == 0 {
		return 100
	}
	return int(math.Floor(float64(b.used) / float64(b.limit) * 100))
}
