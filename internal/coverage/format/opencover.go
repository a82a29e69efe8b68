package format

import (
	"io"
	"math"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// OpenCover is the CoverageSession of OpenCover and of coverlet: modules with a
// list of their files, and methods whose sequence points say how often the lines
// from sl to el ran. Files have numbers, which hold within their module, in
// coverlet's reports for the whole.
var OpenCover = measured.Format{Name: "opencover", Detects: detectOpenCover, Read: readOpenCover}

func detectOpenCover(head []byte) bool {
	root, _ := measured.RootElement(head)
	return root == "CoverageSession"
}

const (
	// openCoverHidden is where the compiler's own code stands: no line of a source.
	openCoverHidden = 0xfeefee
	// openCoverLong is longer than any statement; what says so is damaged.
	openCoverLong = 2000
)

type openCover struct {
	measured.Elements
	files  map[string]*measured.File // of the module, by number
	first  *measured.File            // the file of the method
	method qa.FuncHit
	inName bool
	points int
}

func readOpenCover(in io.Reader, rep *measured.Report) error {
	rep.Branches, rep.Functions = true, true
	o := &openCover{Elements: measured.NewElements(in, rep), files: map[string]*measured.File{}}
	for o.Next() {
		switch o.Kind() {
		case xmlscan.Start:
			o.start()
		case xmlscan.Text:
			if o.inName && o.method.Name == "" {
				o.method.Name = string(o.Text()[:min(len(o.Text()), measured.MaxFileName)])
			}
		case xmlscan.End:
			o.stop()
		}
	}
	return o.End()
}

func (o *openCover) start() {
	switch string(o.Name()) {
	case "File":
		o.files[o.Attribute("uid")] = o.Open(o.Attribute("fullPath"), "")
	case "Method":
		o.method, o.first, o.points = qa.FuncHit{}, nil, 0
		if o.Attribute("visited") == "true" {
			o.method.Hits = 1
		}
	case "Name":
		o.inName = true
	case "FileRef":
		o.first = o.files[o.Attribute("uid")]
	case "SequencePoint":
		o.sequence()
	case "BranchPoint":
		o.branch()
	default:
		if o.Depth() == 1 && string(o.Name()) != "CoverageSession" {
			o.Fail("root element <%s>, expected <CoverageSession>", o.Name())
		}
	}
}

func (o *openCover) stop() {
	switch string(o.Name()) {
	case "Name":
		o.inName = false
	case "Method":
		if o.first != nil && o.method.Name != "" && o.points > 0 {
			o.first.Function(o.method)
		}
	}
}

// place is the file of a point; what it grows by is counted.
func (o *openCover) place() *measured.File {
	f := o.files[o.Attribute("fileid")]
	if f == nil {
		f = o.first
	}
	if f != nil && f != o.Rep.Last {
		o.Rep.Settle()
		o.Rep.Last = f
	}
	return f
}

func (o *openCover) sequence() {
	f := o.place()
	from, ok := o.Number("sl")
	if !ok || f == nil {
		return
	}
	to, ok := o.Number("el")
	hits, _ := o.Hits("vc")
	if from >= openCoverHidden || from < 1 {
		return
	}
	if !ok || to < from || to-from > openCoverLong || to >= openCoverHidden {
		to = from
	}
	if o.points++; o.points == 1 {
		o.method.Line = from
	}
	for line := from; line <= to; line++ {
		o.Rep.Hit(f, o.Line(), qa.LineHit{Line: line, Hits: hits})
	}
}

func (o *openCover) branch() {
	f := o.place()
	line, ok := o.Number("sl")
	if !ok || f == nil || line < 1 || line >= openCoverHidden {
		return
	}
	hits, _ := o.Hits("vc")
	path, _ := o.Number("path")
	offset, _ := o.Number("offset")
	id := uint64(uint32(max(offset, 0)))<<32 | uint64(uint32(min(max(path, 0), math.MaxInt32)))
	f.Arms.Add(qa.UnitHit{ID: id, Line: line, Hits: hits, Weight: 1})
}
