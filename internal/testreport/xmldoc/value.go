package xmldoc

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/xmlscan"
)

// Attr is an attribute as a name.
func (d *Document) Attr(name string) string {
	value, ok := d.S.Attr(name)
	if !ok {
		return ""
	}
	return collect.CleanName(value)
}

// Prose is an attribute as text.
func (d *Document) Prose(name string, limit int) string {
	value, ok := d.S.Attr(name)
	if !ok {
		return ""
	}
	return strings.TrimSpace(collect.Clean(unescaped(value), limit))
}

// Count is an attribute as a number of things; -1 when it is none.
func (d *Document) Count(name string) int {
	value, ok := d.S.Attr(name)
	if !ok || len(value) == 0 || len(value) > 20 {
		return -1
	}
	n, err := strconv.Atoi(strings.ReplaceAll(string(value), ",", ""))
	if err != nil || n < 0 || n > math.MaxInt32 {
		d.C.Warnf("line %d: %s is %q, not a number of tests", d.S.Line(), name, collect.Clean(value, 20))
		return -1
	}
	return n
}

// Seconds is an attribute as a duration. Surefire writes "1,234.5", some
// locales "0,5".
func (d *Document) Seconds(name string) (float64, bool) {
	value, ok := d.S.Attr(name)
	if !ok || len(value) == 0 || len(value) > 40 {
		return 0, false
	}
	text := strings.TrimSuffix(string(value), "s")
	if strings.Contains(text, ",") {
		if strings.Contains(text, ".") {
			text = strings.ReplaceAll(text, ",", "")
		} else {
			text = strings.Replace(text, ",", ".", 1)
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f < 1e9) {
		return 0, false
	}
	return f, true
}

// Text gathers the text of the element whose Start was just read, with that of
// the elements in it, and passes its end.
func (d *Document) Text(limit int) string {
	var e collect.Excerpt
	for depth := d.S.Depth(); d.S.Next(); {
		if d.S.Kind() == xmlscan.Text {
			e.Add(d.S.Text())
		} else if d.S.Kind() == xmlscan.End && d.S.Depth() < depth {
			break
		}
	}
	if e.Size() == 0 {
		return ""
	}
	return collect.Clip(strings.Trim(string(unescaped([]byte(e.String()))), "\n"), limit)
}

// unescaped takes out what pytest puts for control characters that XML cannot
// hold: "#x1B" starts an escape sequence of the terminal.
func unescaped(text []byte) []byte {
	if !bytes.Contains(text, []byte("#x1B[")) {
		return text
	}
	return []byte(collect.Clean(bytes.ReplaceAll(text, []byte("#x1B["), []byte("\x1b[")), len(text)))
}
