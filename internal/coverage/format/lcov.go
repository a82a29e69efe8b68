// Package format reads the kinds of coverage reports, one in a file.
package format

import (
	"bytes"
	"io"
	"slices"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

// Lcov is the tracefile of geninfo(1) from LTP, LCOV 1 and 2, and what
// istanbul, coverage.py, simplecov, llvm-cov, gcovr and others write in its
// name: with and without checksums, with and without LF and LH, with FN or the
// indexed FNL and FNA of LCOV 2.2, records of one file repeated.
var Lcov = measured.Format{Name: "lcov", Detects: detectLCOV, Read: readLCOV}

func detectLCOV(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return bytes.HasPrefix(line, []byte("TN:")) || bytes.HasPrefix(line, []byte("SF:"))
	}
	return false
}

// lcovRecord is the record being read, from SF to end_of_record.
type lcovRecord struct {
	*measured.File
	at      int // line of SF
	found   int // lines of DA, to hold against LF
	hit     int
	claimed [2]int         // LF and LH, -1 when absent
	funcs   map[string]int // index in list by name (FN) or index (FNL)
	list    []lcovFun
}

type lcovFun struct {
	qa.FuncHit
	alias string
}

func readLCOV(in io.Reader, rep *measured.Report) error {
	src := measured.NewLines(in)
	var rec *lcovRecord
	var memory lcovRecord // of the record before, for the next
	for b, ok := src.Next(); ok; b, ok = src.Next() {
		if len(b) > 3 && b[0] == 'D' && b[1] == 'A' && b[2] == ':' { // nearly all lines
			if rec == nil {
				return src.Fail("DA outside a record, expected SF:<path> first")
			}
			if err := rec.da(src, rep, b[3:]); err != nil {
				return err
			}
			continue
		}
		b = bytes.TrimSpace(b)
		if len(b) == 0 || b[0] == '#' {
			continue
		}
		tag, value, _ := bytes.Cut(b, []byte{':'})
		switch string(tag) {
		case "TN", "VER", "KF", "MCDC", "MCF", "MCH", "MRF", "MRH":
			continue
		case "SF", "KE":
			if err := memory.start(src, rep, rec, value); err != nil {
				return err
			}
			rec = &memory
			continue
		}
		if rec == nil {
			if src.Line > 1 {
				rep.Note("unknown record outside a file", src.Line)
				continue
			}
			return src.Fail("unexpected %.40q, expected TN:, SF: or a comment", b)
		}
		if string(b) == "end_of_record" {
			rec.close(rep, src.Line)
			rep.Done(rec.File)
			rec = nil
			continue
		}
		if err := rec.read(src, rep, tag, value); err != nil {
			return err
		}
	}
	if err := src.End(); err != nil || rec == nil {
		return err
	}
	return src.Fail("the file ends inside the record of %q that began in line %d, expected end_of_record; is it truncated?", rec.Name, rec.at)
}

// manyFuncs is more functions than most files have; a table of more is not emptied for
// each record that follows.
const manyFuncs = 256

// start begins the record of a file in the memory of the one before.
func (rec *lcovRecord) start(src *measured.Lines, rep *measured.Report, open *lcovRecord, path []byte) error {
	if open != nil {
		return src.Fail("SF inside the record that began in line %d, expected end_of_record", open.at)
	}
	if len(path) == 0 || len(path) > measured.MaxFileName {
		return src.Fail("SF with a path of %d bytes, expected 1 to %d", len(path), measured.MaxFileName)
	}
	next := lcovRecord{File: rep.File(string(path), ""), at: src.Line, claimed: [2]int{-1, -1}}
	if len(rec.list) <= manyFuncs {
		clear(rec.funcs)
		clear(rec.list)
		next.funcs, next.list = rec.funcs, rec.list[:0]
	}
	*rec = next
	return nil
}

// da reads "line,hits[,checksum]".
func (rec *lcovRecord) da(src *measured.Lines, rep *measured.Report, b []byte) error {
	line, rest, ok := measured.Atoi(b)
	if !ok || len(rest) < 2 || rest[0] != ',' {
		if len(b) > 1 && b[0] == '-' {
			rep.Note(measured.BadLine, src.Line)
			return nil
		}
		return src.Fail("malformed DA:%.40q, expected DA:<line>,<hits>[,<checksum>]", b)
	}
	rest = rest[1:]
	if i := bytes.IndexByte(rest, ','); i >= 0 {
		rest = rest[:i]
	}
	hits, negative, ok := measured.HitCount(rest)
	if !ok {
		if hits, negative, ok = measured.HitCount(bytes.TrimSpace(rest)); !ok {
			return src.Fail("malformed hit count %.40q, expected a number", rest)
		}
	}
	if negative {
		rep.Note("negative hit count, taken as 0", src.Line)
	}
	rec.found++
	if hits > 0 {
		rec.hit++
	}
	rep.Hit(rec.File, src.Line, qa.LineHit{Line: line, Hits: hits})
	return nil
}

// read reads every other kind of line.
func (rec *lcovRecord) read(src *measured.Lines, rep *measured.Report, tag, value []byte) error {
	switch string(tag) {
	case "BRDA":
		rep.Branches = true
		return rec.brda(src, rep, value)
	case "BRF", "BRH":
		rep.Branches = true
	case "FNF", "FNH":
		rep.Functions = true
	case "FN", "FNL":
		rep.Functions = true
		line, rest, ok := int32(0), value, true
		var key []byte
		if string(tag) == "FNL" { // index,line[,end]
			i, after, found := bytes.Cut(value, []byte{','})
			key, rest, ok = append([]byte{0}, i...), after, found
		}
		if ok {
			line, rest, ok = measured.Atoi(rest)
		}
		if !ok {
			return src.Fail("malformed %s:%.40q, expected a line number", tag, value)
		}
		if string(tag) == "FN" { // line,[end,]name
			rest = bytes.TrimPrefix(rest, []byte{','})
			if _, after, isEnd := measured.Atoi(rest); isEnd && len(after) > 1 && after[0] == ',' {
				rest = after[1:]
			}
			key = rest
		}
		rec.fun(key).Line = line
	case "FNDA": // hits,name
		rep.Functions = true
		count, name, _ := bytes.Cut(value, []byte{','})
		return rec.called(src, rep, name, count)
	case "FNA": // index,hits,alias
		rep.Functions = true
		index, rest, _ := bytes.Cut(value, []byte{','})
		count, alias, _ := bytes.Cut(rest, []byte{','})
		key := append([]byte{0}, index...)
		if f := rec.fun(key); f.alias == "" {
			f.alias = string(alias)
		}
		return rec.called(src, rep, key, count)
	case "LF", "LH":
		n, _, ok := measured.Atoi(value)
		if !ok {
			return src.Fail("malformed %s:%.40q, expected a number", tag, value)
		}
		if tag[1] == 'F' {
			rec.claimed[0] = int(n)
		} else {
			rec.claimed[1] = int(n)
		}
	default:
		rep.Note("unknown record inside a file", src.Line)
	}
	return nil
}

// fun finds or begins a function; the pointer is valid until the next call.
func (rec *lcovRecord) fun(key []byte) *lcovFun {
	i, ok := rec.funcs[string(key)]
	if !ok {
		if rec.funcs == nil {
			rec.funcs = map[string]int{}
		}
		if i = len(rec.list); !rec.Room.Take(measured.OfFunctions, 1) || !rec.Room.Take(measured.OfNames, len(key)) {
			return &lcovFun{} // the end is near
		}
		rec.list = append(rec.list, lcovFun{FuncHit: qa.FuncHit{Name: string(key)}})
		rec.funcs[rec.list[i].Name] = i
	}
	return &rec.list[i]
}

func (rec *lcovRecord) called(src *measured.Lines, rep *measured.Report, key, count []byte) error {
	hits, negative, ok := measured.HitCount(bytes.TrimSpace(count))
	if !ok {
		return src.Fail("malformed function hit count %.40q, expected a number", count)
	}
	if negative {
		rep.Note("negative hit count, taken as 0", src.Line)
	}
	f := rec.fun(key)
	f.Hits = measured.AddHits(f.Hits, hits)
	return nil
}

// brda reads "line,[e]block,branch,taken", where '-' says that the line never ran.
func (rec *lcovRecord) brda(src *measured.Lines, rep *measured.Report, b []byte) error {
	line, rest, ok := measured.Atoi(b)
	last := bytes.LastIndexByte(rest, ',')
	if !ok || last <= 0 || rest[0] != ',' || bytes.Count(rest, []byte{','}) < 3 {
		return src.Fail("malformed BRDA:%.40q, expected BRDA:<line>,<block>,<branch>,<taken>", b)
	}
	id, taken := rest[1:last], rest[last+1:]
	var hits uint32
	if string(taken) != "-" {
		var negative bool
		if hits, negative, ok = measured.HitCount(bytes.TrimSpace(taken)); !ok {
			return src.Fail("malformed branch count %.40q, expected a number or '-'", taken)
		}
		if negative {
			rep.Note("negative branch count, taken as 0", src.Line)
		}
	}
	if line <= 0 {
		rep.Note(measured.BadLine, src.Line)
		return nil
	}
	rec.Arms.Add(qa.UnitHit{ID: armID(line, id), Line: line, Hits: hits, Weight: 1})
	return nil
}

// armID makes an id of a line and the report's own name of the arm: packed when
// both are small numbers, as they nearly always are, else hashed.
func armID(line int32, name []byte) uint64 {
	if block, rest, ok := measured.Atoi(name); ok && block < 1<<12 && len(rest) > 1 && rest[0] == ',' {
		if branch, rest, ok := measured.Atoi(rest[1:]); ok && branch < 1<<18 && len(rest) == 0 {
			return uint64(line)<<32 | uint64(block)<<18 | uint64(branch)
		}
	}
	return measured.HashID(line, name)
}

// close holds the record's claims against its lines and hands its functions over.
func (rec *lcovRecord) close(rep *measured.Report, at int) {
	if lf, lh := rec.claimed[0], rec.claimed[1]; lf >= 0 && lf != rec.found || lh >= 0 && lh != rec.hit {
		rep.Note("record whose LF or LH differs from its DA lines, which count", at)
	}
	rec.File.Funcs = slices.Grow(rec.File.Funcs, len(rec.list))
	for _, f := range rec.list {
		if f.alias != "" {
			f.Name = f.alias
		}
		rec.File.Funcs = append(rec.File.Funcs, f.FuncHit)
	}
}
