package tap

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// point takes a point. One that stands behind subtests is their sum: it is a
// test of its own only where it failed and none of them did.
func (t *tapReader) point(indent int, found [][]byte) {
	t.any = true
	name, skip, todo, seconds := tapName(collect.CleanName(found[3]))
	below := t.closeTo(indent)
	at := t.at(indent)
	at.points++
	p := tapTest{Case: qa.Case{Name: name, Status: qa.Passed, Seconds: seconds}, level: at}
	switch {
	case skip:
		p.Status = qa.Skipped
	case len(found[1]) > 0 && todo: // is known to fail
		p.Status = qa.Skipped
	case len(found[1]) > 0:
		p.Status = qa.Failed
	}
	t.open = -1
	if below != nil {
		if name != "" {
			below.name = name
		}
		if at.parent == nil && tapFile.MatchString(below.name) {
			below.file, below.name = below.name, ""
		}
		t.ended(below)
		if t.told(p, below) {
			t.settle(at)
			return
		}
	} else if t.asserts && at.parent != nil && !skip && !todo {
		t.assertion(at, p)
		return
	}
	at.failed = at.failed || p.Status == qa.Failed
	if at.parent == nil && t.comment != "" && t.comment != name {
		p.Suite = t.comment
	}
	p.Name = cmp.Or(p.Name, "test "+strconv.Itoa(at.points))
	t.tests = append(t.tests, p)
	t.open = len(t.tests) - 1
	t.settle(at)
}

// told reports whether a point says nothing beside what was below it.
func (t *tapReader) told(p tapTest, below *tapLevel) bool {
	if below.own == 0 {
		empty := t.asserts && below.points == 0 // a test that asserts nothing
		return !empty && (p.Status != qa.Failed || below.failed)
	}
	own := &t.tests[below.own-1]
	own.Seconds = p.Seconds
	if p.Status == qa.Failed && !below.failed {
		own.Status, own.Message = qa.Failed, "failed, although no assertion did"
		p.level.failed, t.open = true, below.own-1
	}
	return true
}

// assertion adds a point to the test that it is an assertion of. The first one that
// fails says why.
func (t *tapReader) assertion(at *tapLevel, p tapTest) {
	if at.own == 0 {
		t.tests = append(t.tests, tapTest{Case: qa.Case{Status: qa.Passed}, level: at, whole: true})
		at.own = len(t.tests)
	}
	own := &t.tests[at.own-1]
	if p.Status != qa.Failed {
		return
	}
	if len(own.Failures) < collect.MaxFailures {
		own.Failures = append(own.Failures, "")
	}
	if at.failed = true; own.Status != qa.Failed {
		own.Status, own.Message, t.open = qa.Failed, p.Name, at.own-1
	}
}

// settle hands over what is complete: all but a point of the document that its
// diagnostic block may follow.
func (t *tapReader) settle(at *tapLevel) {
	if at.parent != nil || len(t.tests) < 1000 || t.open >= 0 && t.open < len(t.tests)-1 {
		return
	}
	last := t.tests[len(t.tests)-1]
	if t.open >= 0 {
		t.tests = t.tests[:len(t.tests)-1]
	}
	t.emit()
	if t.open >= 0 {
		t.tests, t.open = append(t.tests, last), 0
	}
}

// emit hands the tests to the collector, with the names of what they are part of.
func (t *tapReader) emit() {
	t.scope++
	for _, p := range t.tests {
		var suites []string
		file := p.file
		if m := tapWhere.FindStringSubmatch(p.Output); m != nil && file == "" {
			file = m[1]
			p.Line, _ = strconv.Atoi(m[2])
		}
		for l := p.level; l != nil; l = l.parent {
			switch {
			case p.whole && l == p.level && l.name == "":
				p.Name = l.file
			case p.whole && l == p.level:
				p.Name = l.name
			case l.name != "":
				suites = append(suites, l.name)
			}
			if l.file != "" {
				file = l.file
			}
		}
		if slices.Reverse(suites); p.Suite == "" {
			p.Suite = collect.CleanName([]byte(strings.Join(suites, " > ")))
		}
		if file != "" {
			p.File = t.c.Place(file)
		}
		if p.Status == qa.Failed && p.Message == "" {
			p.Message = collect.Heading(p.Output, 3)
		}
		p.Failures = collect.Several(p.Failures)
		if t.c.Add(p.Case, t.scope) != nil {
			break
		}
	}
	t.tests = t.tests[:0]
}

// tapName splits what stands behind a point into the name and the directives.
func tapName(text string) (name string, skip, todo bool, seconds float64) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '#')
		if i < 0 {
			return tapEscapes.Replace(strings.TrimSpace(text)), skip, todo, seconds
		}
		at += i + 1
		if at > 1 && text[at-2] != ' ' { // escaped, or a part of a word
			continue
		}
		d := tapDirective.FindStringSubmatch(strings.TrimSpace(text[at:]))
		if d == nil {
			continue
		}
		skip, todo = strings.EqualFold(d[1], "skip"), strings.EqualFold(d[1], "todo")
		if d[3] != "" {
			seconds, _ = strconv.ParseFloat(d[3], 64)
			if d[4] != "s" {
				seconds /= 1000
			}
		}
		return tapEscapes.Replace(strings.TrimSpace(text[:at-1])), skip, todo, seconds
	}
}

var tapEscapes = strings.NewReplacer(`\#`, "#", `\\`, `\`)

// tapWhere is how Perl and bats name the place in a comment.
var tapWhere = pattern.New(`(?:(?m:^)at |\bin test file )(\S+?),? line (\d+)`)

// tapBlock is the diagnostic block of a point. It should be YAML; what runners
// write is not always, so only its keys are looked for, line by line.
type tapBlock struct {
	on     bool
	indent int
	text   []byte
}

// line takes a line of the block, and reports whether it was the last.
func (b *tapBlock) line(indent int, text []byte) bool {
	if indent == b.indent && string(bytes.TrimSpace(text)) == "..." {
		return true
	}
	if len(b.text) < 2*collect.MaxOutput {
		b.text = append(append(append(b.text, bytes.Repeat([]byte{' '}, min(max(indent-b.indent, 0), 200))...), text...), '\n')
	}
	return false
}

var (
	tapKey = pattern.New(`^( *)(['"]?)([\w-]+)['"]?:(?: (.*))?$`)
	// "fn (/a/b.js:3:28)", "file:///a/b.js:3:1", "/a/b.js:3:1"
	tapPlace = pattern.New(`(?:^|\()(?:file://)?([^()]+?):(\d+)(?::\d+)?\)?$`)
)

// into fills in what the block says of its point, and ends the block.
func (b *tapBlock) into(p *tapTest) {
	told := map[string]string{}
	within, text := "", collect.Clean(b.text, collect.MaxOutput)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		found := tapKey.FindStringSubmatch(line)
		outer := found != nil && len(found[1]) <= 2 && (told["outer"] == "" || told["outer"] == found[1]+".")
		switch {
		case outer:
			told["outer"], within = found[1]+".", found[3]
			if value := strings.Trim(found[4], `'"`); !blockScalar(value) && told[within] == "" {
				told[within] = value
			}
		case found != nil && within == "at":
			told["at."+found[3]] = strings.Trim(found[4], `'"`)
		case told[within] == "" || strings.Contains(told[within], "\n"):
			told[within] += strings.TrimSpace(line) + "\n"
		}
	}
	if ms, err := strconv.ParseFloat(told["duration_ms"], 64); err == nil {
		p.Seconds = ms / 1000
	}
	place := cmp.Or(told["location"], strings.TrimSpace(told["at"]))
	if m := tapPlace.FindStringSubmatch(place); m != nil && !strings.Contains(m[1], "/node_modules/") {
		p.file = m[1]
		if p.Line = collect.LineIn(told["stack"], p.file); p.Line == 0 {
			p.Line, _ = strconv.Atoi(m[2])
		}
	} else if told["at.file"] != "" || told["at.fileName"] != "" {
		p.file = told["at.file"] + told["at.fileName"]
		p.Line, _ = strconv.Atoi(told["at.line"] + told["at.lineNumber"])
	}
	if p.Status.Bad() {
		p.Output = collect.JoinText(text, p.Output)
		said := p.Message // the assertion that failed
		told["message"], told["details"] = reasons(strings.TrimSpace(told["message"]), strings.TrimSpace(told["details"]))
		for _, key := range []string{"error", "message", "reason", "diff", "details"} {
			if p.Message = collect.Clip(strings.TrimSpace(told[key]), collect.MaxMessage); p.Message != "" {
				break
			}
		}
		if p.Message == "" && told["expected"]+told["actual"] != "" {
			p.Message = collect.Clip("expected "+strings.TrimSpace(told["expected"])+", got "+strings.TrimSpace(told["actual"]), collect.MaxMessage)
		}
		if said != "" {
			p.Message = collect.Clip(strings.TrimSuffix(said+": "+p.Message, ": "), collect.MaxMessage)
		}
	}
	*b = tapBlock{}
}

// blockScalar reports whether a value only says that lines of it follow.
func blockScalar(value string) bool {
	return value == "" || strings.Trim(value, "|>+-0123456789") == "" && strings.ContainsAny(value[:1], "|>")
}
