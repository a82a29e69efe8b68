package coverage

import (
	"io"
	"math"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// jacoco is the report.dtd of JaCoCo: groups (modules) of packages of source
// files. It knows whether a line ran, not how often. Files are named by package
// and mapped into the tree by their end; a group's name decides between modules
// that have the same file.
var jacoco = Format{Name: "jacoco", Detects: detectJacoco, read: readJacoco}

func detectJacoco(head []byte) bool {
	root, has := rootElement(head)
	return root == "report" && (has(">sessioninfo") || has(">package") || has(">group") || has(">counter"))
}

// jacocoPlace is where in the report the scan is.
type jacocoPlace struct {
	groups []string
	pkg    string
	class  *file // of the class being read
	source *file // of the sourcefile being read
	method qa.FuncHit
}

func readJacoco(in io.Reader, rep *report) error {
	e := newElements(in, rep)
	rep.branches, rep.functions = true, true
	var at jacocoPlace
	for e.Next() {
		switch e.Kind() {
		case xmlscan.End:
			switch string(e.Name()) {
			case "group":
				if len(at.groups) > 0 {
					at.groups = at.groups[:len(at.groups)-1]
				}
			case "package":
				at.pkg = ""
			case "class":
				at.class = nil
			case "method":
				at.method = qa.FuncHit{}
			case "sourcefile":
				at.source = nil
			}
		case xmlscan.Start:
			if err := at.start(e); err != nil {
				return err
			}
		}
	}
	return e.end()
}

func (at *jacocoPlace) start(e elements) (err error) {
	switch string(e.Name()) {
	case "line":
		return at.line(e)
	case "counter":
		if at.class != nil && at.method.Name != "" && e.text("type") == "METHOD" {
			if at.method.Hits, _, err = e.hits("covered"); err == nil {
				at.class.funcs = append(at.class.funcs, at.method)
			}
		}
	case "group":
		at.groups = append(at.groups, e.text("name"))
	case "package":
		at.pkg = e.text("name")
	case "class":
		if source := e.text("sourcefilename"); source != "" {
			at.class, err = at.open(e, source)
		}
	case "method":
		at.method = qa.FuncHit{Name: e.text("name") + e.text("desc")}
		if at.method.Line, _, err = e.number("line"); err == nil && at.class != nil {
			at.method.Name = e.text("name") + e.text("desc")
		}
	case "sourcefile":
		at.source, err = at.open(e, e.text("name"))
	default:
		if e.Depth() == 1 && string(e.Name()) != "report" {
			err = e.fail("root element <%s>, expected <report>", e.Name())
		}
	}
	return err
}

func (at *jacocoPlace) open(e elements, source string) (*file, error) {
	name, hint := source, ""
	if at.pkg != "" {
		name = at.pkg + "/" + source
	}
	if len(at.groups) > 0 {
		hint = at.groups[len(at.groups)-1]
	}
	f, err := e.open(name, hint)
	if f != nil {
		f.max = true
	}
	return f, err
}

// line reads missed and covered instructions and branches of a line.
func (at *jacocoPlace) line(e elements) error {
	if at.source == nil {
		return e.fail("<line> outside <sourcefile>")
	}
	n, ok, err := e.number("nr")
	if err != nil {
		return err
	}
	if !ok {
		return e.fail("<line> without nr")
	}
	var v [4]int32
	for i, name := range []string{"mi", "ci", "mb", "cb"} {
		if v[i], _, err = e.number(name); err != nil {
			return err
		}
	}
	if v[0] == 0 && v[1] == 0 {
		return nil // no instruction on it
	}
	hits := uint32(min(v[1], 1))
	all := min(int64(v[2])+int64(v[3]), math.MaxUint16)
	e.rep.hit(at.source, e.Line(), n, hits, uint16(all), uint16(min(int64(v[3]), all)))
	return nil
}
