package coverage

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// cobertura is the coverage-04.dtd of Cobertura 2 in the dialects of
// coverage.py, gcovr, simplecov, MATLAB, coverlet and other .NET tools, PHPUnit
// and istanbul. They differ in what <source> means, in whether lines stand in
// the methods, in the class or in both, in several classes for one file, and in
// rates that are NaN or absent; so only <line> elements are counted.
var cobertura = Format{Name: "cobertura", Detects: detectCobertura, read: readCobertura}

func detectCobertura(head []byte) bool {
	root, has := rootElement(head)
	if root != "coverage" || has(">project") {
		return false
	}
	return has("line-rate") || has("lines-valid") || has("branch-rate") || has(">packages") || has(">sources") || has(">package")
}

// coberturaClass is the class being read. The lines of its methods are kept back
// because they count only where the class itself lists none: what coverlet and
// Cobertura repeat there, istanbul gives as the places of its functions.
type coberturaClass struct {
	*file
	direct   bool
	kept     []qa.LineHit
	method   qa.FuncHit
	inMethod bool
}

func (c *coberturaClass) close(rep *report, at int) {
	if c.file == nil || c.direct {
		return
	}
	for _, l := range c.kept {
		rep.hit(c.file, at, l.Line, l.Hits, l.Branches, l.BranchesTaken)
	}
}

func readCobertura(in io.Reader, rep *report) error {
	e := newElements(in, rep)
	var (
		class    coberturaClass
		inSource bool
		source   []byte
	)
	for e.Next() {
		switch e.Kind() {
		case xmlscan.Text:
			if inSource && len(source) < maxFileName {
				source = append(source, e.Text()...)
			}
		case xmlscan.End:
			switch string(e.Name()) {
			case "source":
				if name := strings.TrimSpace(string(source)); name != "" && len(rep.sources) < 100 {
					rep.sources = append(rep.sources, name)
				}
				inSource, source = false, source[:0]
			case "method":
				if class.inMethod && class.file != nil {
					rep.functions = true
					class.function(class.method)
				}
				class.inMethod = false
			case "class":
				class.close(rep, e.Line())
				class = coberturaClass{kept: class.kept[:0]}
			}
		case xmlscan.Start:
			var err error
			switch string(e.Name()) {
			case "line":
				err = class.line(e)
			case "class":
				if class.file, err = e.open(e.text("filename"), ""); err == nil {
					class.max = true // several classes of a file may share a line
				}
			case "method":
				err = class.openMethod(e)
			case "source":
				inSource = true
			case "coverage":
				if e.Depth() > 1 {
					err = e.fail("<coverage> inside <coverage>")
				}
			default:
				if e.Depth() == 1 {
					err = e.fail("root element <%s>, expected <coverage>", e.Name())
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return e.end()
}

func (c *coberturaClass) openMethod(e elements) (err error) {
	name, signature := e.text("name"), e.text("signature")
	if signature == "()V" || !strings.HasPrefix(signature, "(") {
		signature = "" // istanbul's, the same for every function, or PHPUnit's, which is prose
	}
	c.inMethod, c.method = true, qa.FuncHit{Name: name + signature}
	if c.method.Hits, _, err = e.hits("hits"); c.method.Hits == 0 && positive(e.text("line-rate")) {
		c.method.Hits = 1
	}
	return err
}

// positive reports whether a rate is a number above zero; NaN is not.
func positive(rate string) bool {
	f, err := strconv.ParseFloat(rate, 64)
	return err == nil && f > 0
}

func (c *coberturaClass) line(e elements) error {
	if c.file == nil {
		return e.fail("<line> outside <class>")
	}
	n, ok, err := e.number("number")
	if err != nil {
		return err
	}
	if !ok {
		return e.fail("<line> without number")
	}
	hits, ok, err := e.hits("hits")
	if err != nil {
		return err
	}
	if !ok {
		return e.fail("<line> without hits")
	}
	var taken, all uint16
	if v, ok := e.Attr("condition-coverage"); ok {
		if taken, all, ok = fraction(v); ok && all > 0 {
			e.rep.branches = true
		}
	}
	if c.inMethod {
		if c.method.Line == 0 || n < c.method.Line {
			c.method.Line = n
		}
		c.method.Hits = max(c.method.Hits, hits)
		if !e.rep.room.fits(ofLines, len(c.kept)) {
			return e.rep.room.err
		}
		c.kept = append(c.kept, qa.LineHit{Line: n, Hits: hits, Branches: all, BranchesTaken: taken})
		return nil
	}
	c.direct = true
	e.rep.hit(c.file, e.Line(), n, hits, all, taken)
	return nil
}

// fraction reads the "(1/2)" of "50% (1/2)".
func fraction(b []byte) (taken, all uint16, ok bool) {
	i := bytes.IndexByte(b, '(')
	if i < 0 {
		return 0, 0, false
	}
	t, rest, ok := atoi(b[i+1:])
	if !ok || len(rest) == 0 || rest[0] != '/' {
		return 0, 0, false
	}
	a, _, ok := atoi(rest[1:])
	if !ok {
		return 0, 0, false
	}
	return uint16(min(t, a, math.MaxUint16)), uint16(min(a, math.MaxUint16)), true
}
