package coverage

import (
	"bytes"
	"io"
	"math"
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

// coberturaMethod is the method being read.
type coberturaMethod struct {
	qa.FuncHit
	open bool
}

func readCobertura(in io.Reader, rep *report) error {
	e := newElements(in, rep)
	var (
		cur      *file
		method   coberturaMethod
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
				if method.open && cur != nil {
					rep.functions = true
					cur.funcs = append(cur.funcs, method.FuncHit)
				}
				method = coberturaMethod{}
			case "class":
				cur = nil
			}
		case xmlscan.Start:
			var err error
			switch string(e.Name()) {
			case "line":
				err = coberturaLine(e, cur, &method)
			case "class":
				if cur, err = e.open(e.text("filename"), ""); err == nil {
					cur.max = true // methods and class repeat each other
				}
			case "method":
				method = coberturaMethod{open: true, FuncHit: qa.FuncHit{Name: e.text("name") + e.text("signature")}}
				if method.Hits, _, err = e.hits("hits"); err == nil && method.Hits == 0 && positive(e.text("line-rate")) {
					method.Hits = 1
				}
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

// positive reports whether a rate is a number above zero.
func positive(rate string) bool {
	hits, _, ok := hitCount([]byte(strings.TrimLeft(strings.Replace(rate, ".", "", 1), "0")))
	return ok && hits > 0 || rate == "1.0E0"
}

func coberturaLine(e elements, cur *file, method *coberturaMethod) error {
	if cur == nil {
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
	if method.open {
		if method.Line == 0 || n < method.Line {
			method.Line = n
		}
		method.Hits = max(method.Hits, hits)
	}
	var taken, all uint16
	if v, ok := e.Attr("condition-coverage"); ok {
		if taken, all, ok = fraction(v); ok && all > 0 {
			e.rep.branches = true
		}
	}
	e.rep.hit(cur, e.Line(), n, hits, all, taken)
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
