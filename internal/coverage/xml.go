package coverage

import (
	"io"

	"github.com/org/qa-action/internal/xmlscan"
)

// elements walks an XML report.
type elements struct {
	*xmlscan.Scanner
	rep *report
}

func newElements(in io.Reader, rep *report) elements {
	return elements{xmlscan.New(in, xmlscan.Limits{Depth: 64}), rep}
}

// end gives the scan's error and warns of what had to be salvaged.
func (e elements) end() error {
	if spots, line := e.Salvaged(); spots > 0 {
		for range min(spots, 1_000_000) {
			e.rep.note("spot of broken XML, read nevertheless", line)
		}
	}
	return e.Err()
}

func (e elements) fail(format string, args ...any) error {
	return (&lines{line: e.Line()}).fail(format, args...)
}

// text is an attribute's value, empty when absent.
func (e elements) text(name string) string {
	v, _ := e.Attr(name)
	return string(v)
}

// number reads a line number or a total; ok is false when the attribute is absent.
func (e elements) number(name string) (n int32, ok bool, err error) {
	v, found := e.Attr(name)
	if !found {
		return 0, false, nil
	}
	if n, rest, ok := atoi(v); ok && len(rest) == 0 {
		return n, true, nil
	}
	if hits, _, ok := hitCount(v); ok {
		return int32(min(hits, 1<<31-1)), true, nil
	}
	return 0, false, e.fail("%s=%.40q of <%s>, expected a number", name, v, e.Name())
}

// hits reads a number of executions; absent is ok false, negative counts as 0.
func (e elements) hits(name string) (n uint32, ok bool, err error) {
	v, found := e.Attr(name)
	if !found {
		return 0, false, nil
	}
	n, negative, ok := hitCount(v)
	if !ok {
		return 0, false, e.fail("%s=%.40q of <%s>, expected a number", name, v, e.Name())
	}
	if negative {
		e.rep.note("negative hit count, taken as 0", e.Line())
	}
	return n, true, nil
}

// open begins the file that an attribute names.
func (e elements) open(name, hint string) (*file, error) {
	if name == "" || len(name) > maxFileName {
		return nil, e.fail("<%s> names a file of %d bytes, expected 1 to %d", e.Name(), len(name), maxFileName)
	}
	return e.rep.file(name, hint), nil
}
