package format

import (
	"io"
	"math"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// Jacoco is the report.dtd of JaCoCo: groups (modules) of packages of source
// files. It knows whether a line ran, not how often. Files are named by package
// and mapped into the tree by their end; a group's name decides between modules
// that have the same file.
var Jacoco = measured.Format{Name: "jacoco", Detects: detectJacoco, Read: readJacoco}

func detectJacoco(head []byte) bool {
	root, has := measured.RootElement(head)
	return root == "report" && (has(">sessioninfo") || has(">package") || has(">group") || has(">counter"))
}

// jacocoPlace is where in the report the scan is.
type jacocoPlace struct {
	groups []string
	pkg    string
	class  *measured.File // of the class being read
	source *measured.File // of the sourcefile being read
	method qa.FuncHit
}

func readJacoco(in io.Reader, rep *measured.Report) error {
	e := measured.NewElements(in, rep)
	rep.Branches, rep.Functions = true, true
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
			at.start(e)
		}
	}
	return e.End()
}

func (at *jacocoPlace) start(e measured.Elements) {
	switch string(e.Name()) {
	case "line":
		at.line(e)
	case "counter":
		at.counter(e)
	case "report", "group":
		at.groups = append(at.groups, e.Attribute("name"))
	case "package":
		at.pkg = e.Attribute("name")
	case "class":
		if source := e.Attribute("sourcefilename"); source != "" {
			at.class = at.open(e, source)
		}
	case "method":
		at.method = qa.FuncHit{Name: e.Attribute("name") + e.Attribute("desc")}
		at.method.Line, _ = e.Number("line")
	case "sourcefile":
		at.source = at.open(e, e.Attribute("name"))
	default:
		if e.Depth() == 1 {
			e.Fail("root element <%s>, expected <report>", e.Name())
		}
	}
}

func (at *jacocoPlace) open(e measured.Elements, source string) *measured.File {
	name, hint := source, ""
	if at.pkg != "" {
		name = at.pkg + "/" + source
	}
	if len(at.groups) > 0 {
		hint = at.groups[len(at.groups)-1]
	}
	return e.Open(name, hint)
}

// counter reads whether a method ran, and a source file's own totals for
// writers that say no more of a line than its number.
func (at *jacocoPlace) counter(e measured.Elements) {
	kind := e.Attribute("type")
	covered, _ := e.Number("covered")
	missed, _ := e.Number("missed")
	switch {
	case at.source != nil:
		if at.source.Totals == nil {
			at.source.Totals = &measured.Totals{}
		}
		c := &qa.Count{Covered: int(covered), Total: int(covered) + int(missed)}
		switch kind {
		case "LINE":
			at.source.Totals.Lines = c
		case "BRANCH":
			at.source.Totals.Branches = c
		case "METHOD":
			at.source.Totals.Functions = c
		}
	case at.class != nil && at.method.Name != "" && kind == "METHOD":
		at.method.Hits = uint32(covered)
		at.class.Function(at.method)
	}
}

// line reads missed and covered instructions and branches of a line.
func (at *jacocoPlace) line(e measured.Elements) {
	if at.source == nil {
		e.Fail("<line> outside <sourcefile>")
		return
	}
	n := e.Needed("nr")
	missed, _ := e.Number("mi")
	ran, _ := e.Number("ci")
	untaken, _ := e.Number("mb")
	taken, _ := e.Number("cb")
	if missed == 0 && ran == 0 {
		return // no instruction on it, or, in gcovr's, no word of them
	}
	all := min(int64(untaken)+int64(taken), math.MaxUint16)
	e.Rep.Hit(at.source, e.Line(), qa.LineHit{Line: n, Hits: uint32(min(ran, 1)), Branches: uint16(all), BranchesTaken: uint16(min(int64(taken), all))})
}
