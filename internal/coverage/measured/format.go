package measured

import "io"

// Format is one kind of coverage report.
type Format struct {
	Name string
	// Detects reports whether head, the first 64 KiB of a file, is of this kind.
	Detects func(head []byte) bool
	// Read fills rep from in. Errors begin with the line.
	Read func(in io.Reader, rep *Report) error
}
