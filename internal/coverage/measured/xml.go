package measured

import (
	"io"

	"github.com/org/qa-action/internal/xmlscan"
)

// Elements walks an XML report. What is wrong with an attribute ends the walk: Next
// is false then, and End gives the error.
type Elements struct {
	*xmlscan.Scanner
	Rep *Report
}

func NewElements(in io.Reader, rep *Report) Elements {
	return Elements{xmlscan.New(in, xmlscan.Limits{Depth: 64}), rep}
}

// End gives the scan's error and warns of what had to be salvaged.
func (e Elements) End() error {
	if spots, line := e.Salvaged(); spots > 0 {
		for range min(spots, 1_000_000) {
			e.Rep.Note("spot of broken XML, read nevertheless", line)
		}
	}
	return e.Err()
}

// Attribute is an attribute's value, empty when absent.
func (e Elements) Attribute(name string) string {
	v, _ := e.Attr(name)
	return string(v)
}

// Number reads a line number or a total; ok is false when the attribute is absent.
func (e Elements) Number(name string) (n int32, ok bool) {
	v, found := e.Attr(name)
	if !found {
		return 0, false
	}
	if n, rest, ok := Atoi(v); ok && len(rest) == 0 {
		return n, true
	}
	hits, _, ok := HitCount(v)
	if !ok {
		e.Fail("%s=%.40q of <%s>, expected a number", name, v, e.Name())
	}
	return int32(min(hits, 1<<31-1)), ok
}

// Hits reads a number of executions; absent is ok false, negative counts as 0.
func (e Elements) Hits(name string) (n uint32, ok bool) {
	v, found := e.Attr(name)
	if !found {
		return 0, false
	}
	n, negative, ok := HitCount(v)
	if !ok {
		e.Fail("%s=%.40q of <%s>, expected a number", name, v, e.Name())
	}
	if negative {
		e.Rep.Note("negative hit count, taken as 0", e.Line())
	}
	return n, ok
}

// Needed is a number without which the element says nothing.
func (e Elements) Needed(name string) int32 {
	n, ok := e.Number(name)
	if !ok {
		e.Fail("<%s> without %s", e.Name(), name)
	}
	return n
}

// Open begins the file that an attribute names. Something may be said of one of its
// lines twice, and the most counts; nil ends the walk.
func (e Elements) Open(name, hint string) *File {
	if name == "" || len(name) > MaxFileName {
		e.Fail("<%s> names a file of %d bytes, expected 1 to %d", e.Name(), len(name), MaxFileName)
		return nil
	}
	f := e.Rep.File(name, hint)
	f.Max = true
	return f
}
