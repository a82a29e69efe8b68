package testreport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/xmlscan"
)

// What the XML reports of .NET have in common.

func newXML(r io.Reader, c *collector) (xmlRun, *endWatch) {
	end := &endWatch{r: r}
	return xmlRun{c: c, s: xmlscan.New(end, xmlscan.Limits{Tag: 4 << 20})}, end
}

// ended says how the document ended: well, cut off, or as something else.
func (j *xmlRun) ended(end *endWatch) error {
	if n, line := j.s.Salvaged(); n > 0 {
		j.c.warnf("line %d: ill-formed XML (raw \"<\", control characters, unknown entities, broken text), read as it stands: %d", line, n)
	}
	err := j.s.Err()
	if err == nil {
		return nil
	}
	kind := ErrFormat
	if end.reached && j.s.Depth() > 0 && strings.Contains(err.Error(), "unexpected end") {
		kind = ErrTruncated
	}
	return &Error{Line: j.s.Line(), Err: kind, Got: strings.TrimPrefix(err.Error(), fmt.Sprintf("line %d: ", j.s.Line()))}
}

// walk gives every element to start and, at its end, its name to stop; the root
// must be one of those named.
func (j *xmlRun) walk(r *bufio.Reader, roots string, start func(tag string) error, stop func(tag string) error) error {
	var end *endWatch
	c := j.c
	*j, end = newXML(r, c)
	for j.s.Next() {
		var err error
		switch j.s.Kind() {
		case xmlscan.Start:
			tag := string(j.s.Name())
			if j.s.Depth() == 1 && !strings.Contains(" "+roots+" ", " "+tag+" ") {
				return &Error{Line: j.s.Line(), Err: ErrFormat, Want: "<" + strings.ReplaceAll(roots, " ", "> or <") + "> as root", Got: "<" + cleanName(j.s.Name()) + ">"}
			}
			err = start(tag)
		case xmlscan.End:
			err = stop(string(j.s.Name()))
		}
		if err != nil {
			return err
		}
	}
	return j.ended(end)
}

// rootIs reports whether head is an XML document of that root, which says one of
// the words.
func rootIs(head []byte, root string, words ...string) bool {
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
var dotnetFrame = regexp.MustCompile(`(?m)^\s*(?:at|in|bei|à|в) .* (?:in|dans|в) ([^\n]+?):(?:line|ligne|Zeile|строка)? ?(\d+)\s*$`)

// framed takes file and line from the last frame that is in the repository: the
// first ones are those of an assertion library.
func (j *xmlRun) framed(stack string) (file string, line int) {
	for _, m := range dotnetFrame.FindAllStringSubmatch(stack, 100) {
		if at, ok := j.c.places.relative(j.c.report, m[1]); ok && at != "" {
			file = at
			line, _ = strconv.Atoi(m[2])
		}
	}
	return file, line
}

// splitMethod takes "Space.Class.Method(1, "a.b")" apart.
func splitMethod(full string) (class, method string) {
	bare, args := full, ""
	if i := strings.IndexByte(full, '('); i > 0 {
		bare, args = full[:i], full[i:]
	}
	if i := strings.LastIndexByte(bare, '.'); i > 0 {
		return bare[:i], bare[i+1:] + args
	}
	return "", full
}

// span reads a time as "00:01:02.5000000"; anything else is 0.
func span(text string) float64 {
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
