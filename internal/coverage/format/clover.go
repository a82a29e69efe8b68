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
				cur = nil
			}
		case xmlscan.Start:
			var err error
			switch string(e.Name()) {
			case "coverage":
				ofIstanbul = e.Attribute("clover") == istanbulClover
			case "file":
				name := cmp.Or(e.Attribute("path"), e.Attribute("name"))
				if cur, err = e.Open(name, ""); err == nil {
					cur.Max = true // a statement and a condition on one line
				}
				fileDepth = e.Depth()
			case "testproject": // test code of the project
				e.Skip()
			case "line":
				if cur == nil {
					err = e.Fail("<line> outside <file>")
				} else {
					err = cloverLine(e, cur, ofIstanbul)
				}
			case "metrics":
				if cur != nil && e.Depth() == fileDepth+1 {
					err = cloverMetrics(e, cur, ofIstanbul)
				}
			default:
				if e.Depth() == 1 {
					err = e.Fail("root element <%s>, expected <coverage>", e.Name())
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return e.End()
}

func cloverLine(e measured.Elements, cur *measured.File, ofIstanbul bool) error {
	n, ok, err := e.Number("num")
	if err != nil {
		return err
	}
	if !ok {
		return e.Fail("<line> without num")
	}
	hits, _, err := e.Hits("count")
	if err != nil {
		return err
	}
	switch kind := e.Attribute("type"); kind {
	case "method":
		e.Rep.Functions = true
		cur.Function(qa.FuncHit{Name: e.Attribute("name") + e.Attribute("signature"), Line: n, Hits: hits})
	case "stmt":
		e.Rep.Hit(cur, e.Line(), qa.LineHit{Line: n, Hits: hits})
	case "cond":
		yes, _, err := e.Hits("truecount")
		if err != nil {
			return err
		}
		no, _, err := e.Hits("falsecount")
		if err != nil {
			return err
		}
		e.Rep.Branches = true
		if ofIstanbul {
			all := min(uint64(yes)+uint64(no), math.MaxUint16)
			e.Rep.Hit(cur, e.Line(), qa.LineHit{Line: n, Hits: hits, Branches: uint16(all), BranchesTaken: uint16(min(uint64(yes), all))})
			return nil
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
	return nil
}

// cloverMetrics keeps a file's own totals for what its lines do not show.
func cloverMetrics(e measured.Elements, cur *measured.File, ofIstanbul bool) error {
	count := func(total, covered string) (*qa.Count, error) {
		t, ok, err := e.Number(total)
		if err != nil || !ok {
			return nil, err
		}
		c, _, err := e.Number(covered)
		return &qa.Count{Covered: int(min(c, t)), Total: int(t)}, err
	}
	var err error
	tot := &measured.Totals{}
	if tot.Statements, err = count("statements", "coveredstatements"); err != nil {
		return err
	}
	if tot.Branches, err = count("conditionals", "coveredconditionals"); err != nil {
		return err
	}
	if tot.Functions, err = count("methods", "coveredmethods"); err != nil {
		return err
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
	return nil
}
