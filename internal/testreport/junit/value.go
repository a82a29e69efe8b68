package junit

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/xmlscan"
)

// attr is an attribute as a name.
func (j *junitRun) attr(name string) string {
	value, ok := j.s.Attr(name)
	if !ok {
		return ""
	}
	return collect.CleanName(value)
}

// prose is an attribute as text.
func (j *junitRun) prose(name string, limit int) string {
	value, ok := j.s.Attr(name)
	if !ok {
		return ""
	}
	return strings.TrimSpace(collect.Clean(unescaped(value), limit))
}

// count is an attribute as a number of things; -1 when it is none.
func (j *junitRun) count(name string) int {
	value, ok := j.s.Attr(name)
	if !ok || len(value) == 0 || len(value) > 20 {
		return -1
	}
	n, err := strconv.Atoi(strings.ReplaceAll(string(value), ",", ""))
	if err != nil || n < 0 || n > math.MaxInt32 {
		j.c.Warnf("line %d: %s is %q, not a number of tests", j.s.Line(), name, collect.Clean(value, 20))
		return -1
	}
	return n
}

// seconds is an attribute as a duration. Surefire writes "1,234.5", some
// locales "0,5".
func (j *junitRun) seconds(name string) (float64, bool) {
	value, ok := j.s.Attr(name)
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

// text gathers the text of the element whose Start was just read, with that of
// the elements in it, and passes its end.
func (j *junitRun) text(limit int) string {
	var e collect.Excerpt
	for depth := j.s.Depth(); j.s.Next(); {
		if j.s.Kind() == xmlscan.Text {
			e.Add(j.s.Text())
		} else if j.s.Kind() == xmlscan.End && j.s.Depth() < depth {
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

// looksLikeFile reports suite names that are paths of source files.
func looksLikeFile(name string) bool {
	if strings.ContainsAny(name, " \t") {
		return false
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return false
	}
	switch name[dot:] {
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".py", ".rb", ".php", ".dart", ".feature", ".vue", ".svelte":
		return true
	}
	return false
}
