package format

import (
	"cmp"
	"io"
	"math"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// Clover is the XML of OpenClover, of PHPUnit and of istanbul. Lines of type
// stmt and cond are executable, lines of type method name functions. For
// istanbul (clover="3.2.0") truecount and falsecount are the numbers of arms
// taken and not taken; for the others, how often the condition was true and
// false. Test projects are left out.
var Clover = measured.Format{Name: "clover", Detects: detectClover, Read: readClover}

func detectClover(head []byte) bool {
	root, has := measured.RootElement(head)
	return root == "coverage" && has(">project")
}

// istanbulClover is the version that istanbul writes, always.
const istanbulClover = "3.2.0"

func readClover(in io.Reader, rep *measured.Report) error {
	e := measured.NewElements(in, rep)
	var cur *measured.File
	fileDepth := 0
	ofIstanbul := false
	for e.Next() {
		switch e.Kind() {
		case xmlscan.End:
			if cur != nil && e.Depth() < fileDepth {
				rep.Done(cur)
				cur = nil
			}
		case xmlscan.Start:
			switch string(e.Name()) {
			case "coverage":
				ofIstanbul = e.Attribute("clover") == istanbulClover
			case "file":
				name := cmp.Or(e.Attribute("path"), e.Attribute("name"))
				cur = e.Open(name, "") // a statement and a condition may stand on one line
				fileDepth = e.Depth()
			case "testproject": // test code of the project
				e.Skip()
			case "line":
				if cur == nil {
					e.Fail("<line> outside <file>")
				} else {
					cloverLine(e, cur, ofIstanbul)
				}
			case "metrics":
				if cur != nil && e.Depth() == fileDepth+1 {
					cloverMetrics(e, cur, ofIstanbul)
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

func cloverLine(e measured.Elements, cur *measured.File, ofIstanbul bool) {
	n := e.Needed("num")
	hits, _ := e.Hits("count")
	switch kind := e.Attribute("type"); kind {
	case "method":
		e.Rep.Functions = true
		cur.Function(qa.FuncHit{Name: e.Attribute("name") + e.Attribute("signature"), Line: n, Hits: hits})
	case "stmt":
		e.Rep.Hit(cur, e.Line(), qa.LineHit{Line: n, Hits: hits})
	case "cond":
		yes, _ := e.Hits("truecount")
		no, _ := e.Hits("falsecount")
		e.Rep.Branches = true
		if ofIstanbul {
			all := min(uint64(yes)+uint64(no), math.MaxUint16)
			e.Rep.Hit(cur, e.Line(), qa.LineHit{Line: n, Hits: hits, Branches: uint16(all), BranchesTaken: uint16(min(uint64(yes), all))})
			return
		}
		hits = cmp.Or(hits, max(yes, no))
		e.Rep.Hit(cur, e.Line(), qa.LineHit{Line: n, Hits: hits})
		if n > 0 {
			cur.Arms.Add(qa.UnitHit{ID: uint64(n)<<1 | 1, Line: n, Hits: yes, Weight: 1})
			cur.Arms.Add(qa.UnitHit{ID: uint64(n) << 1, Line: n, Hits: no, Weight: 1})
		}
	default:
		e.Rep.Note("line of an unknown type, left out", e.Line())
	}
}

// cloverMetrics keeps a file's own totals for what its lines do not show.
func cloverMetrics(e measured.Elements, cur *measured.File, ofIstanbul bool) {
	count := func(total, covered string) *qa.Count {
		t, ok := e.Number(total)
		if !ok {
			return nil
		}
		c, _ := e.Number(covered)
		return &qa.Count{Covered: int(min(c, t)), Total: int(t)}
	}
	tot := &measured.Totals{
		Statements: count("statements", "coveredstatements"),
		Branches:   count("conditionals", "coveredconditionals"),
		Functions:  count("methods", "coveredmethods"),
	}
	tot.OffLine = ofIstanbul && tot.Branches != nil
	cur.Totals = tot
	e.Rep.Statements = e.Rep.Statements || tot.Statements != nil
	if tot.Functions != nil && tot.Functions.Total > 0 {
		e.Rep.Functions = true
	}
	if tot.Branches != nil && tot.Branches.Total > 0 {
		e.Rep.Branches = true
	}
}
