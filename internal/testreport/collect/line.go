package collect

import (
	"bufio"
	"errors"
	"io"
)

const (
	// HeadSize is how much of a report detection looks at.
	HeadSize = 64 << 10
	// MaxLine bounds one line; the go command writes a few KiB.
	MaxLine = 1 << 20
)

// ReadLine appends the next line to buf, at most maxLine bytes of it.
func ReadLine(r *bufio.Reader, buf []byte) (line []byte, cut bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(buf)+len(part) <= MaxLine {
			buf = append(buf, part...)
		} else {
			cut = true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, cut, err
		}
	}
}

// Lines gives each line with its end to take, and says how many there are. One that is
// too long is left out.
func Lines(r *bufio.Reader, c *Collector, take func(number int, line []byte) error) (number int, err error) {
	var line []byte
	for number = 1; ; number++ {
		var cut bool
		line, cut, err = ReadLine(r, line[:0])
		if cut {
			c.Warnf("line %d is longer than %d bytes and was left out", number, MaxLine)
		} else if bad := take(number, line); bad != nil {
			return number, bad
		}
		if err == io.EOF {
			return number, nil
		}
		if err != nil {
			return number, err
		}
	}
}
