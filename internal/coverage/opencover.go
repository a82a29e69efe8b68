package coverage

import (
	"io"
	"math"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/xmlscan"
)

// opencover is the CoverageSession of OpenCover and of coverlet: modules with a
// list of their files, and methods whose sequence points say how often the lines
// from sl to el ran. Files have numbers, which hold within their module, in
// coverlet's reports for the whole.
var opencover = Format{Name: "opencover", Detects: detectOpenCover, read: readOpenCover}

func detectOpenCover(head []byte) bool {
	root, _ := rootElement(head)
	return root == "CoverageSession"
}

const (
	// openCoverHidden is where the compiler's own code stands: no line of a source.
	openCoverHidden = 0xfeefee
	// openCoverLong is longer than any statement; what says so is damaged.
	openCoverLong = 2000
)

type openCover struct {
	elements
	files  map[string]*file // of the module, by number
	first  *file            // the file of the method
	method qa.FuncHit
	inName bool
	points int
}

func readOpenCover(in io.Reader, rep *report) error {
	rep.branches, rep.functions = true, true
	o := &openCover{elements: newElements(in, rep), files: map[string]*file{}}
	for o.Next() {
		var err error
		switch o.Kind() {
		case xmlscan.Start:
			err = o.start()
		case xmlscan.Text:
			if o.inName && o.method.Name == "" {
				o.method.Name = string(o.Text()[:min(len(o.Text()), maxFileName)])
			}
		case xmlscan.End:
			o.stop()
		}
		if err != nil {
			return err
		}
	}
	return o.end()
}

func (o *openCover) start() (err error) {
	switch string(o.Name()) {
	case "File":
		uid := o.text("uid")
		if o.files[uid], err = o.open(o.text("fullPath"), ""); err != nil {
			return err
		}
		o.files[uid].max = true
	case "Method":
		o.method, o.first, o.points = qa.FuncHit{}, nil, 0
		if o.text("visited") == "true" {
			o.method.Hits = 1
		}
	case "Name":
		o.inName = true
	case "FileRef":
		o.first = o.files[o.text("uid")]
	case "SequencePoint":
		err = o.sequence()
	case "BranchPoint":
		err = o.branch()
	default:
		if o.Depth() == 1 && string(o.Name()) != "CoverageSession" {
			err = o.fail("root element <%s>, expected <CoverageSession>", o.Name())
		}
	}
	return err
}

func (o *openCover) stop() {
	switch string(o.Name()) {
	case "Name":
		o.inName = false
	case "Method":
		if o.first != nil && o.method.Name != "" && o.points > 0 {
			o.first.function(o.method)
		}
	}
}

// place is the file of a point; what it grows by is counted.
func (o *openCover) place() *file {
	f := o.files[o.text("fileid")]
	if f == nil {
		f = o.first
	}
	if f != nil && f != o.rep.last {
		o.rep.settle()
		o.rep.last = f
	}
	return f
}

func (o *openCover) sequence() error {
	f := o.place()
	from, ok, err := o.number("sl")
	if err != nil || !ok || f == nil {
		return err
	}
	to, ok, err := o.number("el")
	if err != nil {
		return err
	}
	hits, _, err := o.hits("vc")
	if err != nil {
		return err
	}
	if from >= openCoverHidden || from < 1 {
		return nil
	}
	if !ok || to < from || to-from > openCoverLong || to >= openCoverHidden {
		to = from
	}
	if o.points++; o.points == 1 {
		o.method.Line = from
	}
	for line := from; line <= to; line++ {
		o.rep.hit(f, o.Line(), line, hits, 0, 0)
	}
	return nil
}

func (o *openCover) branch() error {
	f := o.place()
	line, ok, err := o.number("sl")
	if err != nil || !ok || f == nil || line < 1 || line >= openCoverHidden {
		return err
	}
	hits, _, err := o.hits("vc")
	if err != nil {
		return err
	}
	path, _, err := o.number("path")
	if err != nil {
		return err
	}
	offset, _, err := o.number("offset")
	if err != nil {
		return err
	}
	id := uint64(uint32(max(offset, 0)))<<32 | uint64(uint32(min(max(path, 0), math.MaxInt32)))
	f.arms.add(qa.UnitHit{ID: id, Line: line, Hits: hits, Weight: 1})
	return nil
}
