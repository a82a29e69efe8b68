package format

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// Cobertura is the coverage-04.dtd of Cobertura 2 in the dialects of
// coverage.py, gcovr, simplecov, MATLAB, coverlet and other .NET tools, PHPUnit
// and istanbul. They differ in what <source> means, in whether lines stand in
// the methods, in the class or in both, in several classes for one file, and in
// rates that are NaN or absent; so only <line> elements are counted.
var Cobertura = measured.Format{Name: "cobertura", Detects: detectCobertura, Read: readCobertura}

func detectCobertura(head []byte) bool {
	root, has := measured.RootElement(head)
	if root != "coverage" || has(">project") {
		return false
	}
	return has("line-rate") || has("lines-valid") || has("branch-rate") || has(">packages") || has(">sources") || has(">package")
}

// coberturaClass is the class being read. The lines of its methods are kept back
// because they count only where the class itself lists none: what coverlet and
// Cobertura repeat there, istanbul gives as the places of its functions.
type coberturaClass struct {
	*measured.File
	direct   bool
	kept     []qa.LineHit
	method   qa.FuncHit
	inMethod bool
}

func (c *coberturaClass) close(rep *measured.Report, at int) {
	if c.File == nil || c.direct {
		return
	}
	for _, l := range c.kept {
		rep.Hit(c.File, at, l)
	}
}

func readCobertura(in io.Reader, rep *measured.Report) error {
	e := measured.NewElements(in, rep)
	var (
		class    coberturaClass
		inSource bool
		source   []byte
	)
	for e.Next() {
		switch e.Kind() {
		case xmlscan.Text:
			if inSource && len(source) < measured.MaxFileName {
				source = append(source, e.Text()...)
			}
		case xmlscan.End:
			switch string(e.Name()) {
			case "source":
				if name := strings.TrimSpace(string(source)); name != "" && len(rep.Sources) < 100 {
					rep.Sources = append(rep.Sources, name)
				}
				inSource, source = false, source[:0]
			case "method":
				if class.inMethod && class.File != nil {
					rep.Functions = true
					class.Function(class.method)
				}
				class.inMethod = false
			case "class":
				if class.close(rep, e.Line()); class.File != nil {
					rep.Done(class.File)
				}
				class = coberturaClass{kept: class.kept[:0]}
			}
		case xmlscan.Start:
			switch string(e.Name()) {
			case "line":
				class.line(e)
			case "class":
				class.File = e.Open(e.Attribute("filename"), "") // several classes of a file may share a line
			case "method":
				class.openMethod(e)
			case "source":
				inSource = true
			case "coverage":
				if e.Depth() > 1 {
					e.Fail("<coverage> inside <coverage>")
				}
			default:
				if e.Depth() == 1 {
					e.Fail("root element <%s>, expected <coverage>", e.Name())
				}
			}
		}
	}
	return e.End()
}

func (c *coberturaClass) openMethod(e measured.Elements) {
	name, signature := e.Attribute("name"), e.Attribute("signature")
	if signature == "()V" || !strings.HasPrefix(signature, "(") {
		signature = "" // istanbul's, the same for every function, or PHPUnit's, which is prose
	}
	c.inMethod, c.method = true, qa.FuncHit{Name: name + signature}
	if c.method.Hits, _ = e.Hits("hits"); c.method.Hits == 0 && positive(e.Attribute("line-rate")) {
		c.method.Hits = 1
	}
}

// positive reports whether a rate is a number above zero; NaN is not.
func positive(rate string) bool {
	f, err := strconv.ParseFloat(rate, 64)
	return err == nil && f > 0
}

func (c *coberturaClass) line(e measured.Elements) {
	if c.File == nil {
		e.Fail("<line> outside <class>")
		return
	}
	n := e.Needed("number")
	hits, ok := e.Hits("hits")
	if !ok {
		e.Fail("<line> without hits")
	}
	var taken, all uint16
	if v, ok := e.Attr("condition-coverage"); ok {
		if taken, all, ok = fraction(v); ok && all > 0 {
			e.Rep.Branches = true
		}
	}
	if c.inMethod {
		if c.method.Line == 0 || n < c.method.Line {
			c.method.Line = n
		}
		c.method.Hits = max(c.method.Hits, hits)
		if e.Rep.Room.Fits(measured.OfLines, len(c.kept)) {
			c.kept = append(c.kept, qa.LineHit{Line: n, Hits: hits, Branches: all, BranchesTaken: taken})
		}
		return
	}
	c.direct = true
	e.Rep.Hit(c.File, e.Line(), qa.LineHit{Line: n, Hits: hits, Branches: all, BranchesTaken: taken})
}

// fraction reads the "(1/2)" of "50% (1/2)".
func fraction(b []byte) (taken, all uint16, ok bool) {
	i := bytes.IndexByte(b, '(')
	if i < 0 {
		return 0, 0, false
	}
	t, rest, ok := measured.Atoi(b[i+1:])
	if !ok || len(rest) == 0 || rest[0] != '/' {
		return 0, 0, false
	}
	a, _, ok := measured.Atoi(rest[1:])
	if !ok {
		return 0, 0, false
	}
	return uint16(min(t, a, math.MaxUint16)), uint16(min(a, math.MaxUint16)), true
}
