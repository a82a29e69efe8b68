package python

import (
	"bytes"

	"github.com/org/qa-action/internal/pattern"
)

var (
	pyNamed  = pattern.New(`(?m)^(?:(?:async\s+)?def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=[^=]`)
	pyNumber = pattern.New(`\b\d[\w.]*`)
	// pyDecides are words of what asserts, or says how much it lets pass.
	pyDecides = pattern.New(`(?i)\bassert|\braises\b|\bfail\b|(?:^|[^a-z])(?:[ra]?tol|tolerance|eps(?:ilon)?|delta|precision|places|abs|rel|reruns|retries|slack|margin)(?:[^a-z]|$)`)
)

// Restored is a conftest.py as base has it, but for what is only said in other values since,
// and asserts nothing: what is expected now follows the product. It is nil where base has none.
func Restored(now, was []byte) []byte {
	if was == nil {
		return nil
	}
	later := map[string][]byte{}
	for _, b := range blocks(now) {
		later[named(b)] = b
	}
	var out []byte
	for _, b := range blocks(was) {
		if is := later[named(b)]; is != nil && !pyDecides.Match(is) && !pyDecides.Match(b) && bytes.Equal(shape(is), shape(b)) {
			b = is
		}
		out = append(out, b...)
	}
	return out
}

// named is the name of what a block defines; its whole text where it defines nothing.
func named(block []byte) string {
	if m := pyNamed.FindSubmatch(block); m != nil {
		return string(m[1]) + string(m[2])
	}
	return string(block)
}

// shape is a block without its values.
func shape(block []byte) []byte {
	return pyNumber.ReplaceAll([]byte(code(block)), []byte("0"))
}

// blocks are what stands at the top of a file, each with what belongs to it.
func blocks(data []byte) (out [][]byte) {
	decorated := false
	for line := range bytes.Lines(data) {
		top := !bytes.ContainsAny(line[:1], " \t\r\n)]}#")
		if len(out) == 0 || top && !decorated {
			out = append(out, nil)
		}
		if top {
			decorated = line[0] == '@'
		}
		out[len(out)-1] = append(out[len(out)-1], line...)
	}
	return out
}
