package format

import (
	"bytes"
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/coverage/measured"
	"github.com/org/qa-action/internal/qa"
)

// Gocover is the text profile of "go test -coverprofile" and "go tool covdata
// textfmt", modes set, count and atomic: a block of statements a line, repeated
// for every test binary with -coverpkg; several profiles may be concatenated.
// Statements are exact. A line is executable when a block covers code on it,
// braces and comments not counting; without the source at hand every line of a
// block counts.
var Gocover = measured.Format{Name: "gocover", Detects: detectGocover, Read: readGocover}

func detectGocover(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("mode: "))
}

// block is one block of statements of a profile.
type block struct {
	from, to   position
	statements uint32
	hits       uint32
}

type position struct{ line, col int32 }

func (p position) compare(o position) int {
	if p.line != o.line {
		return cmp.Compare(p.line, o.line)
	}
	return cmp.Compare(p.col, o.col)
}

func (b block) compare(o block) int {
	if c := b.from.compare(o.from); c != 0 {
		return c
	}
	return b.to.compare(o.to)
}

// maxBlockLines bounds the lines that the blocks of a report may span, counted
// once for each block: far above what a compiler writes.
const maxBlockLines = 20_000_000

// goFile collects the blocks of a file, joining repeated ones when they have
// doubled.
type goFile struct {
	*measured.File
	blocks []block
	sorted int
	held   int // blocks that the room knows of
}

func readGocover(in io.Reader, rep *measured.Report) error {
	src := measured.NewLines(in)
	rep.Statements = true
	files := map[string]*goFile{}
	var cur *goFile
	mode := ""
	for {
		b, ok := src.Next()
		if !ok {
			break
		}
		if len(b) == 0 {
			continue
		}
		if rest, ok := bytes.CutPrefix(b, []byte("mode: ")); ok {
			next := string(bytes.TrimSpace(rest))
			if next != "set" && next != "count" && next != "atomic" {
				return src.Fail("unknown mode %.40q, expected set, count or atomic", next)
			}
			if mode != "" && (mode == "set") != (next == "set") {
				rep.Note("profile of another mode, its counts are of another kind", src.Line)
			}
			mode = next
			continue
		}
		if mode == "" {
			return src.Fail("unexpected %.40q, expected \"mode: set\", \"mode: count\" or \"mode: atomic\"", b)
		}
		colon := bytes.LastIndexByte(b, ':')
		if colon <= 0 || colon > measured.MaxFileName {
			return src.Fail("malformed block %.80q, expected <file>:<line>.<col>,<line>.<col> <statements> <hits>", b)
		}
		if cur == nil || cur.Name != string(b[:colon]) {
			if cur = files[string(b[:colon])]; cur == nil {
				name := string(b[:colon])
				cur = &goFile{File: rep.File(name, "")}
				files[name] = cur
			}
		}
		blk, ok := parseBlock(b[colon+1:])
		if !ok {
			return src.Fail("malformed block %.80q, expected <file>:<line>.<col>,<line>.<col> <statements> <hits>", b)
		}
		if blk.from.line <= 0 || blk.to.compare(blk.from) < 0 || blk.to.line == math.MaxInt32 {
			return src.Fail("block %.40q ends before it begins or lies outside any file", b[colon+1:])
		}
		if mode == "set" {
			blk.hits = min(blk.hits, 1)
		}
		cur.add(blk)
	}
	if err := src.End(); err != nil {
		return err
	}
	return finishGo(files, rep)
}

// finishGo counts what the blocks of each file say.
func finishGo(files map[string]*goFile, rep *measured.Report) error {
	spanned := int64(0)
	if rep.Room.Err != nil {
		return rep.Room.Err
	}
	for _, f := range rep.Order { // in the report's order, for the same message each time
		if err := files[f.Name].finish(&spanned); err != nil {
			return err
		}
		rep.Last = f
		rep.Settle()
	}
	return nil
}

// parseBlock reads "sl.sc,el.ec statements hits".
func parseBlock(b []byte) (block, bool) {
	var v [5]int32
	for i, end := range []byte(".,.  ") {
		n, rest, ok := measured.Atoi(b)
		if !ok || len(rest) == 0 || rest[0] != end {
			return block{}, false
		}
		v[i], b = n, rest[1:]
	}
	hits, negative, ok := measured.HitCount(bytes.TrimRight(b, " "))
	return block{
		from:       position{v[0], v[1]},
		to:         position{v[2], v[3]},
		statements: uint32(v[4]),
		hits:       hits,
	}, ok && !negative
}

func (f *goFile) add(b block) {
	if len(f.blocks) == cap(f.blocks) && len(f.blocks) > 2*f.sorted {
		f.compact()
	}
	if len(f.blocks) == cap(f.blocks) {
		grown := len(f.blocks) - f.held
		if f.held = len(f.blocks); !f.Room.Take(measured.OfUnits, grown) {
			return
		}
	}
	f.blocks = append(f.blocks, b)
}

// compact sorts the blocks and adds up repeated ones.
func (f *goFile) compact() {
	if !slices.IsSortedFunc(f.blocks, block.compare) {
		slices.SortFunc(f.blocks, block.compare)
	}
	out := f.blocks[:0]
	for _, b := range f.blocks {
		if n := len(out); n > 0 && out[n-1].compare(b) == 0 {
			out[n-1].hits = measured.AddHits(out[n-1].hits, b.hits)
			out[n-1].statements = max(out[n-1].statements, b.statements)
			continue
		}
		out = append(out, b)
	}
	f.blocks, f.sorted = out, len(out)
}

// finish makes statements of the blocks and adds the lines they span.
func (f *goFile) finish(spanned *int64) error {
	f.compact()
	f.Room.Take(measured.OfUnits, -f.held) // they are counted again as what they become
	f.Units.List = slices.Grow(f.Units.List, len(f.blocks))
	for _, b := range f.blocks {
		if *spanned += int64(b.to.line) - int64(b.from.line) + 1; *spanned > maxBlockLines {
			return fmt.Errorf("the blocks up to %.80q span more than %d lines, expected a profile written by the go command", f.Name, maxBlockLines)
		}
		f.Units.Add(qa.UnitHit{ID: blockID(b), Line: b.from.line, Hits: b.hits, Weight: b.statements})
	}
	f.Settle = f.blockLines
	return nil
}

// blockID packs a block's place, which is unique in its file: lines below 2^20
// and columns below 2^12 stay apart, others are hashed.
func blockID(b block) uint64 {
	if b.from.line < 1<<20 && b.to.line < 1<<20 && b.from.col < 1<<11 && b.to.col < 1<<12 {
		return uint64(b.from.line)<<43 | uint64(b.from.col)<<32 | uint64(b.to.line)<<12 | uint64(b.to.col)
	}
	return measured.HashID(b.from.line, fmt.Appendf(nil, "%d,%d,%d", b.from.col, b.to.line, b.to.col))
}

// blockLines makes lines of the blocks.
func (f *goFile) blockLines(src []byte) string {
	code := codeColumns(src)
	f.Max = true
	for _, b := range f.blocks {
		if b.statements == 0 {
			continue
		}
		for n := b.from.line; n <= b.to.line; n++ {
			if code != nil {
				if int(n) >= len(code) {
					break
				}
				c := code[n]
				if c.last == 0 || n == b.from.line && c.last < b.from.col || n == b.to.line && c.first >= b.to.col {
					continue
				}
			}
			f.Line(n, b.hits, 0, 0)
		}
	}
	f.blocks = nil
	if code == nil {
		return "file without its source at hand, every line of a block counts as executable"
	}
	return ""
}

// columns are where the first and the last token of a line begin; zero for none.
type columns struct{ first, last int32 }

// codeColumns finds the tokens of Go source, but for brackets and separators, by
// line; nil without source.
func codeColumns(src []byte) []columns {
	if len(src) == 0 {
		return nil
	}
	set := token.NewFileSet()
	f := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(f, src, func(token.Position, string) {}, 0)
	code := make([]columns, bytes.Count(src, []byte{'\n'})+2)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return code
		case token.LBRACE, token.RBRACE, token.LPAREN, token.RPAREN, token.LBRACK, token.RBRACK, token.COMMA, token.SEMICOLON:
			continue
		}
		at := f.PositionFor(pos, false)
		line, col := at.Line, int32(at.Column)
		for range 1 + strings.Count(lit, "\n") { // a raw string covers several lines
			c := &code[line]
			if c.first == 0 {
				c.first = col
			}
			c.last = max(c.last, col)
			line, col = line+1, 1
		}
	}
}
