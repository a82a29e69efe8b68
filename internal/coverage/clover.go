package coverage

import (
	"io"
	"math"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// clover is the XML of OpenClover, of PHPUnit and of istanbul. Lines of type
// stmt and cond are executable, lines of type method name functions. For
// istanbul (clover="3.2.0") truecount and falsecount are the numbers of arms
// taken and not taken; for the others, how often the condition was true and
// false. Test projects are left out.
var clover = Format{Name: "clover", Detects: detectClover, read: readClover}

func detectClover(head []byte) bool {
	root, has := rootElement(head)
	return root == "coverage" && has(">project")
}

// istanbulClover is the version that istanbul writes, always.
const istanbulClover = "3.2.0"

func readClover(in io.Reader, rep *report) error {
	e := newElements(in, rep)
	var cur *file
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
				ofIstanbul = e.text("clover") == istanbulClover
			case "file":
				name := e.text("path")
				if name == "" {
					name = e.text("name")
				}
				if cur, err = e.open(name, ""); err == nil {
					cur.max = true // a statement and a condition on one line
				}
				fileDepth = e.Depth()
			case "testproject": // test code of the project
				e.Skip()
			case "line":
				if cur == nil {
					err = e.fail("<line> outside <file>")
				} else {
					err = cloverLine(e, cur, ofIstanbul)
				}
			case "metrics":
				if cur != nil && e.Depth() == fileDepth+1 {
					err = cloverMetrics(e, cur, ofIstanbul)
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

func cloverLine(e elements, cur *file, ofIstanbul bool) error {
	n, ok, err := e.number("num")
	if err != nil {
		return err
	}
	if !ok {
		return e.fail("<line> without num")
	}
	hits, _, err := e.hits("count")
	if err != nil {
		return err
	}
	switch kind := e.text("type"); kind {
	case "method":
		e.rep.functions = true
		cur.function(qa.FuncHit{Name: e.text("name") + e.text("signature"), Line: n, Hits: hits})
	case "stmt":
		e.rep.hit(cur, e.Line(), n, hits, 0, 0)
	case "cond":
		yes, _, err := e.hits("truecount")
		if err != nil {
			return err
		}
		no, _, err := e.hits("falsecount")
		if err != nil {
			return err
		}
		e.rep.branches = true
		if ofIstanbul {
			all := min(uint64(yes)+uint64(no), math.MaxUint16)
			e.rep.hit(cur, e.Line(), n, hits, uint16(all), uint16(min(uint64(yes), all)))
			return nil
		}
		if hits == 0 {
			hits = max(yes, no)
		}
		e.rep.hit(cur, e.Line(), n, hits, 0, 0)
		if n > 0 {
			cur.arms.add(qa.UnitHit{ID: uint64(n)<<1 | 1, Line: n, Hits: yes, Weight: 1})
			cur.arms.add(qa.UnitHit{ID: uint64(n) << 1, Line: n, Hits: no, Weight: 1})
		}
	default:
		e.rep.note("line of an unknown type, left out", e.Line())
	}
	return nil
}

// cloverMetrics keeps a file's own totals for what its lines do not show.
func cloverMetrics(e elements, cur *file, ofIstanbul bool) error {
	count := func(total, covered string) (*qa.Count, error) {
		t, ok, err := e.number(total)
		if err != nil || !ok {
			return nil, err
		}
		c, _, err := e.number(covered)
		return &qa.Count{Covered: int(min(c, t)), Total: int(t)}, err
	}
	var err error
	tot := &totals{}
	if tot.statements, err = count("statements", "coveredstatements"); err != nil {
		return err
	}
	if tot.branches, err = count("conditionals", "coveredconditionals"); err != nil {
		return err
	}
	if tot.functions, err = count("methods", "coveredmethods"); err != nil {
		return err
	}
	tot.offLine = ofIstanbul && tot.branches != nil
	cur.totals = tot
	e.rep.statements = e.rep.statements || tot.statements != nil
	if tot.functions != nil && tot.functions.Total > 0 {
		e.rep.functions = true
	}
	if tot.branches != nil && tot.branches.Total > 0 {
		e.rep.branches = true
	}
	return nil
}
