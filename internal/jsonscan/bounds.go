package jsonscan

import (
	"fmt"
	"io"
)

// Bounds are what a document of JSON may have at most before another decoder is
// handed it. A decoder into Go types makes a whole struct of the two bytes of
// "{}", so that bytes alone bound nothing. A zero field is no bound.
type Bounds struct {
	Values int // elements of arrays and members of objects, of all levels
	Depth  int // nesting of arrays and objects
}

// BoundsError is a document beyond its bounds.
type BoundsError struct {
	What  string // "values", "levels of nesting"
	Limit int
}

func (e *BoundsError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// Reader gives what r gives until a bound is passed; then every read is a
// [BoundsError], and nothing of the chunk that passed it is handed on. It checks
// nothing else: whether it is JSON at all is for the decoder.
func (b Bounds) Reader(r io.Reader) io.Reader { return &counted{r: r, bounds: b} }

type counted struct {
	r        io.Reader
	bounds   Bounds
	values   int
	depth    int
	inString bool
	escaped  bool
	err      error
}

// Read counts what structures a document, outside of strings.
func (c *counted) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	if c.err = c.count(p[:n]); c.err != nil {
		return 0, c.err
	}
	return n, err
}

func (c *counted) count(p []byte) error {
	for _, b := range p {
		switch {
		case c.escaped:
			c.escaped = false
		case c.inString:
			c.escaped, c.inString = b == '\\', b != '"'
		case b == '"':
			c.inString = true
		case b == ',':
			c.values++
		case b == '{' || b == '[':
			c.values++
			c.depth++
		case b == '}' || b == ']':
			c.depth--
		}
		if c.bounds.Values > 0 && c.values > c.bounds.Values {
			return &BoundsError{"values", c.bounds.Values}
		}
		if c.bounds.Depth > 0 && c.depth > c.bounds.Depth {
			return &BoundsError{"levels of nesting", c.bounds.Depth}
		}
	}
	return nil
}

// ReadAll reads a document of at most so many bytes, within bounds.
func (b Bounds) ReadAll(r io.Reader, bytes int64) ([]byte, error) {
	raw, err := io.ReadAll(b.Reader(io.LimitReader(r, bytes+1)))
	if err == nil && int64(len(raw)) > bytes {
		err = &BoundsError{"bytes", int(bytes)}
	}
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// Count tells how many values a document has, as [Bounds] counts them.
func Count(raw []byte) int {
	c := counted{}
	_ = c.count(raw) // without bounds
	return c.values
}
