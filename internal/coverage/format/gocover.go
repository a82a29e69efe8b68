package format

import (
	"bytes"
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"math"
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

// lines is how many lines a block spans.
func (b block) lines() int64 { return int64(b.to.line) - int64(b.from.line) + 1 }

// maxBlockLines bounds the lines that the blocks of a report may span, counted
// once for each block: far above what a compiler writes.
const maxBlockLines = 20_000_000

// goProfile is a profile being read. The blocks of a file are its statements, whose ids
// are their places.
type goProfile struct {
	rep     *measured.Report
	file    *measured.File
	spanned int64                               // lines of all blocks
	wide    map[*measured.File]map[place]*block // whose place is in no id
}

type place struct{ from, to position }

func readGocover(in io.Reader, rep *measured.Report) error {
	src := measured.NewLines(in)
	rep.Statements = true
	p := &goProfile{rep: rep, wide: map[*measured.File]map[place]*block{}}
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
		if p.file == nil || p.file.Name != string(b[:colon]) {
			p.begin(string(b[:colon]))
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
		p.add(blk)
	}
	if err := src.End(); err != nil {
		return err
	}
	return p.finish()
}

// begin goes on with a file.
func (p *goProfile) begin(name string) {
	if p.file != nil {
		p.rep.Done(p.file)
	}
	p.file = p.rep.File(name, "")
}

// add adds a block to the file.
func (p *goProfile) add(b block) {
	p.spanned += b.lines()
	id, wide := blockID(b)
	p.file.Units.Add(qa.UnitHit{ID: id, Line: b.from.line, Hits: b.hits, Weight: b.statements})
	if !wide || p.rep.Room.Err != nil {
		return
	}
	at := place{b.from, b.to}
	if p.wide[p.file] == nil {
		p.wide[p.file] = map[place]*block{}
	}
	if same := p.wide[p.file][at]; same != nil {
		same.hits, same.statements = measured.AddHits(same.hits, b.hits), max(same.statements, b.statements)
		return
	}
	first := b
	p.wide[p.file][at] = &first
}

// finish has the blocks become lines once the sources are known.
func (p *goProfile) finish() error {
	if p.file != nil {
		p.rep.Done(p.file)
	}
	if p.rep.Room.Err != nil {
		return p.rep.Room.Err
	}
	p.rep.Complete = p.lines
	if p.spanned <= maxBlockLines {
		return nil
	}
	// Blocks are repeated by each test binary: what counts are those that differ.
	var err error
	p.spanned = 0
	p.rep.Each(func(f *measured.File) {
		p.blocks(f, func(b block) { p.spanned += b.lines() })
		if p.spanned > maxBlockLines && err == nil {
			err = fmt.Errorf("the blocks up to %.80q span more than %d lines, expected a profile written by the go command", f.Name, maxBlockLines)
		}
	})
	return err
}

// blocks goes through those of a file.
func (p *goProfile) blocks(f *measured.File, use func(block)) {
	for _, u := range f.Units.Compact() {
		if b, ok := blockOf(u); ok {
			use(b)
		}
	}
	for _, b := range p.wide[f] {
		use(*b)
	}
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

// blockID packs a block's place, which is unique in its file: lines below 2^20
// and columns below 2^11 and 2^12 stay apart, others are hashed.
func blockID(b block) (id uint64, hashed bool) {
	if b.from.line < 1<<20 && b.to.line < 1<<20 && b.from.col < 1<<11 && b.to.col < 1<<12 {
		return uint64(b.from.line)<<43 | uint64(b.from.col)<<32 | uint64(b.to.line)<<12 | uint64(b.to.col), false
	}
	return measured.HashID(b.from.line, fmt.Appendf(nil, "%d,%d,%d", b.from.col, b.to.line, b.to.col)), true
}

// blockOf is the block of an id; false for one that was hashed.
func blockOf(u qa.UnitHit) (block, bool) {
	bits := func(from, n int) int32 { return int32(u.ID >> from & (1<<n - 1)) }
	return block{
		from: position{bits(43, 20), bits(32, 11)}, to: position{bits(12, 20), bits(0, 12)},
		statements: u.Weight, hits: u.Hits,
	}, u.ID>>63 == 0
}

// lines makes lines of a file's blocks.
func (p *goProfile) lines(f *measured.File, source func() []byte) string {
	code := codeColumns(source())
	f.Max = true
	p.blocks(f, func(b block) {
		if b.statements == 0 {
			return
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
	})
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
