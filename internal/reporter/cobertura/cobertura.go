// Package cobertura writes coverage.cobertura.xml.
package cobertura

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

// Render writes coverage.cobertura.xml after the DTD of Cobertura 1.x
// (coverage-04.dtd): one package per folder, one class per file, paths relative
// to the repository root. The DTD wants a rate everywhere; a metric that was
// not measured is 0 of 0 with rate 0, never 1.
func Render(w io.Writer, r *qa.Report, _ sink.Options) error {
	doc := coberturaDoc{Complexity: "0", Version: "qa-action " + cmp.Or(wording.Plain(r.Manifest.Version), "dev"), Sources: []string{"."}}
	if started, err := time.Parse(time.RFC3339, r.Started); err == nil {
		doc.Timestamp = strconv.FormatInt(started.UnixMilli(), 10)
	} else {
		doc.Timestamp = "0"
	}
	head := r.Coverage.Head
	if head == nil {
		head = &qa.Coverage{}
	}
	var total coberturaCount
	files := map[string][]coberturaClass{}
	counts := map[string]coberturaCount{}
	for _, f := range head.Files {
		if !escape.SafePath(f.Path) {
			continue // not of the repository; the report warns of it as unmapped
		}
		class, count := coberturaOf(f)
		dir := path.Dir(f.Path)
		files[dir] = append(files[dir], class)
		counts[dir] = counts[dir].plus(count)
		total = total.plus(count)
	}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		classes := files[dir]
		slices.SortFunc(classes, func(a, b coberturaClass) int { return cmp.Compare(a.File, b.File) })
		doc.Packages.List = append(doc.Packages.List, coberturaPackage{Name: dir, rates: counts[dir].rates(), Complexity: "0", Classes: coberturaClasses{classes}})
	}
	doc.rates = total.rates()
	doc.LinesCovered, doc.LinesValid = total.lines.Covered, total.lines.Total
	doc.BranchesCovered, doc.BranchesValid = total.branches.Covered, total.branches.Total
	if _, err := io.WriteString(w, xml.Header+`<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">`+"\n"); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type rates struct {
	LineRate   string `xml:"line-rate,attr"`
	BranchRate string `xml:"branch-rate,attr"`
}

type coberturaDoc struct {
	XMLName xml.Name `xml:"coverage"`
	rates
	LinesCovered    int               `xml:"lines-covered,attr"`
	LinesValid      int               `xml:"lines-valid,attr"`
	BranchesCovered int               `xml:"branches-covered,attr"`
	BranchesValid   int               `xml:"branches-valid,attr"`
	Complexity      string            `xml:"complexity,attr"`
	Version         string            `xml:"version,attr"`
	Timestamp       string            `xml:"timestamp,attr"`
	Sources         []string          `xml:"sources>source"`
	Packages        coberturaPackages `xml:"packages"`
}

// The lists have their own elements, which the DTD wants even when empty.
type (
	coberturaPackages struct {
		List []coberturaPackage `xml:"package"`
	}
	coberturaClasses struct {
		List []coberturaClass `xml:"class"`
	}
	coberturaLines struct {
		Text []byte `xml:",innerxml"`
	}
)

type coberturaPackage struct {
	Name string `xml:"name,attr"`
	rates
	Complexity string           `xml:"complexity,attr"`
	Classes    coberturaClasses `xml:"classes"`
}

type coberturaClass struct {
	Name string `xml:"name,attr"`
	File string `xml:"filename,attr"`
	rates
	Complexity string         `xml:"complexity,attr"`
	Methods    struct{}       `xml:"methods"`
	Lines      coberturaLines `xml:"lines"`
}

// withLine adds one of the lines of a class. There is nothing but numbers in it, and there are
// so many that a general writer of XML took an eighth of a large run for them.
func withLine(b []byte, hit qa.LineHit) []byte {
	const indent = "\n      "
	b = strconv.AppendInt(append(b, indent+`<line number="`...), int64(hit.Line), 10)
	b = strconv.AppendUint(append(b, `" hits="`...), uint64(hit.Hits), 10)
	if hit.Branches == 0 {
		return append(b, `"></line>`...)
	}
	share := int(hit.BranchesTaken) * 100 / int(hit.Branches)
	return fmt.Appendf(b, `" branch="true" condition-coverage="%d%% (%d/%d)">`+indent+` <conditions>`+indent+
		`  <condition number="0" type="jump" coverage="%d%%"></condition>`+indent+` </conditions>`+indent+`</line>`, share, hit.BranchesTaken, hit.Branches, share)
}

func coberturaOf(f qa.FileCoverage) (coberturaClass, coberturaCount) {
	var n coberturaCount
	class := coberturaClass{Name: path.Base(f.Path), File: f.Path, Complexity: "0"}
	for _, hit := range f.Lines {
		class.Lines.Text = withLine(class.Lines.Text, hit)
		n.lines.Total++
		if hit.Hits > 0 {
			n.lines.Covered++
		}
		if hit.Branches > 0 {
			n.branches = n.branches.Plus(qa.Count{Covered: int(hit.BranchesTaken), Total: int(hit.Branches)})
		}
	}
	if len(f.Lines) > 0 {
		class.Lines.Text = append(class.Lines.Text, "\n     "...)
	}
	// A summary has counts and no lines.
	if len(f.Lines) == 0 && f.LineCount != nil {
		n.lines = *f.LineCount
	}
	if f.Branches != nil {
		n.branches = *f.Branches
	}
	class.rates = n.rates()
	return class, n
}

type coberturaCount struct{ lines, branches qa.Count }

func (c coberturaCount) plus(o coberturaCount) coberturaCount {
	return coberturaCount{c.lines.Plus(o.lines), c.branches.Plus(o.branches)}
}

func (c coberturaCount) rates() rates { return rates{rateText(c.lines), rateText(c.branches)} }

// rateText cuts, never rounds up: 0.99996 is not 1.
func rateText(c qa.Count) string {
	r, ok := c.Rate()
	if !ok {
		return "0"
	}
	return strconv.FormatFloat(float64(number.Basis(r))/10_000, 'f', -1, 64)
}
