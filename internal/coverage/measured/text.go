package measured

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// maxTextLine is the longest line of a text report, in bytes.
const maxTextLine = 256 << 10

// Lines reads a text report line by line.
type Lines struct {
	in   *bufio.Reader
	Line int // number of the current line
	err  error
}

func NewLines(in io.Reader) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, maxTextLine)}
}

// Next gives the next line without its line end; it is valid until the next
// call. False at the end or at an error.
func (l *Lines) Next() ([]byte, bool) {
	if l.err != nil {
		return nil, false
	}
	b, err := l.in.ReadSlice('\n')
	if err != nil && (err != io.EOF || len(b) == 0) {
		if errors.Is(err, bufio.ErrBufferFull) {
			err = fmt.Errorf("line %d: longer than %d bytes", l.Line+1, maxTextLine)
		}
		l.err = err
		return nil, false
	}
	l.Line++
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	if l.Line == 1 {
		b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
	}
	return b, true
}

// Fail makes an error at the current line.
func (l *Lines) Fail(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", l.Line, fmt.Sprintf(format, args...))
}

// End is the error that ended the lines, nil for the end of the file.
func (l *Lines) End() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}

// Atoi reads the digits at the start of b, saturating at the largest int32, and
// gives what follows them.
func Atoi(b []byte) (n int32, rest []byte, ok bool) {
	var v int64
	i := 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if v = v*10 + int64(b[i]-'0'); v > math.MaxInt32 {
			v = math.MaxInt32
		}
	}
	return int32(v), b[i:], i > 0
}

// HitCount reads a whole field as a number of executions: digits, or the signed,
// decimal and exponent forms that some writers use. It saturates, and negative
// is said apart because it stands for no execution.
func HitCount(b []byte) (hits uint32, negative, ok bool) {
	if len(b) == 1 && b[0]-'0' <= 9 {
		return uint32(b[0] - '0'), false, true
	}
	var v uint64
	for i := 0; i < len(b); i++ {
		if b[i]-'0' > 9 {
			return oddCount(b)
		}
		if v = v*10 + uint64(b[i]-'0'); v > math.MaxUint32 {
			v = math.MaxUint32
		}
	}
	return uint32(v), false, len(b) > 0
}

func oddCount(b []byte) (hits uint32, negative, ok bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			return 0, false, false
		}
	}
	f, err := strconv.ParseFloat(string(b), 64)
	switch {
	case math.IsInf(f, 1) || f >= math.MaxUint32:
		return math.MaxUint32, false, true
	case math.IsInf(f, -1):
		return 0, true, true
	case err != nil:
		return 0, false, false
	case f < 0:
		return 0, true, true
	}
	return uint32(f), false, true
}
