package collect

import (
	"bufio"
	"errors"
)

// MaxLine bounds one line; the go command writes a few KiB.
const MaxLine = 1 << 20

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
