// Package xmldoc reads the values of one XML document of test results: what the
// readers of JUnit XML and of the reports of .NET share.
package xmldoc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/testreport/collect"
	"github.com/org/qa-action/internal/xmlscan"
)

// Document is one that is being read.
type Document struct {
	C   *collect.Collector
	S   *xmlscan.Scanner
	end *endWatch
}

// maxTag is how long one tag may be: parameters of a test stand in its name, and some
// are megabytes long.
const maxTag = 64 << 20

// New begins to read a document.
func New(r io.Reader, c *collect.Collector) Document {
	end := &endWatch{r: r}
	return Document{C: c, S: xmlscan.New(end, xmlscan.Limits{Tag: maxTag}), end: end}
}

// endWatch notes that all input was read.
type endWatch struct {
	r       io.Reader
	reached bool
}

func (e *endWatch) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.reached = e.reached || err == io.EOF
	return n, err
}

// Ended says how the document ended: well, cut off, or as something else.
func (d *Document) Ended() error {
	if n, line := d.S.Salvaged(); n > 0 {
		d.C.Warnf("line %d: ill-formed XML (raw \"<\", control characters, unknown entities, broken text), read as it stands: %d", line, n)
	}
	err := d.S.Err()
	if err == nil {
		return nil
	}
	kind := collect.ErrFormat
	if d.end.reached && d.S.Depth() > 0 && strings.Contains(err.Error(), "unexpected end") {
		kind = collect.ErrTruncated
	}
	return &collect.Error{Line: d.S.Line(), Err: kind, Got: strings.TrimPrefix(err.Error(), fmt.Sprintf("line %d: ", d.S.Line()))}
}

// Walk gives every element to start and, at its end, its name to stop; the root
// must be one of those named.
func (d *Document) Walk(r *bufio.Reader, roots string, start func(tag string) error, stop func(tag string) error) error {
	*d = New(r, d.C)
	for d.S.Next() {
		var err error
		switch d.S.Kind() {
		case xmlscan.Start:
			tag := string(d.S.Name())
			if d.S.Depth() == 1 && !strings.Contains(" "+roots+" ", " "+tag+" ") {
				return &collect.Error{Line: d.S.Line(), Err: collect.ErrFormat, Want: "<" + strings.ReplaceAll(roots, " ", "> or <") + "> as root", Got: "<" + collect.CleanName(d.S.Name()) + ">"}
			}
			err = start(tag)
		case xmlscan.End:
			err = stop(string(d.S.Name()))
		}
		if err != nil {
			return err
		}
	}
	return d.Ended()
}

// RootIs reports whether head is an XML document of that root, which says one of
// the words.
func RootIs(head []byte, root string, words ...string) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	at := bytes.Index(head, []byte("<"+root))
	if at < 0 || bytes.ContainsAny(bytes.TrimSpace(head[:at]), "<") && !bytes.HasPrefix(head, []byte("<?")) && !bytes.HasPrefix(head, []byte("<!")) {
		return false
	}
	after := head[at+1+len(root):]
	if len(after) == 0 || !bytes.ContainsAny(after[:1], " \t\r\n>/") {
		return false
	}
	for _, w := range words {
		if bytes.Contains(after, []byte(w)) {
			return true
		}
	}
	return len(words) == 0
}

// dotnetFrame is a frame of a stack that names a file.
var dotnetFrame = pattern.New(`(?m)^\s*(?:at|in|bei|à|в) .* (?:in|dans|в) ([^\n]+?):(?:line|ligne|Zeile|строка)? ?(\d+)\s*$`)

// Framed takes file and line from the last frame that is in the repository: the
// first ones are those of an assertion library.
func (d *Document) Framed(stack string) (file string, line int) {
	for _, m := range dotnetFrame.FindAllStringSubmatch(stack, 100) {
		if at, ok := d.C.Places.Relative(d.C.Report, m[1]); ok && at != "" {
			file = at
			line, _ = strconv.Atoi(m[2])
		}
	}
	return file, line
}

// SplitMethod takes "Space.Class.Method(1, "a.b")" apart.
func SplitMethod(full string) (class, method string) {
	bare, args := full, ""
	if i := strings.IndexByte(full, '('); i > 0 {
		bare, args = full[:i], full[i:]
	}
	if i := strings.LastIndexByte(bare, '.'); i > 0 {
		return bare[:i], bare[i+1:] + args
	}
	return "", full
}

// Span reads a time as "00:01:02.5000000"; anything else is 0.
func Span(text string) float64 {
	total := 0.0
	days, rest, ok := strings.Cut(text, ".")
	if ok && strings.Contains(rest, ":") {
		n, _ := strconv.ParseFloat(days, 64)
		total, text = n*24, rest
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return 0
	}
	for _, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return 0
		}
		total = total*60 + n
	}
	return total
}
