// Package libtest reads the events of Rust's libtest.
package libtest

import (
	"bufio"
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The text that Rust's test programs (libtest) and rustdoc print, behind the
// messages of cargo test --message-format json, which say what did not compile and
// which program is of which target. A line "Running <program>" says which one
// begins; without it, targets have no name.

var (
	libtestBegin  = pattern.New(`^running (\d+) tests?$`)
	libtestCase   = pattern.New(`^test (.+?)(?: - (?:should panic|compile fail|compile))? \.\.\. ?(.*)$`)
	libtestResult = pattern.New(`^(ok|FAILED|ignored(?:, .*)?|bench:.*)(?: <[\d.]+s>)?$`)
	libtestDetail = pattern.New(`^---- (.+) std(?:out|err) ----$`)
	libtestEnd    = pattern.New(`^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out(?:; finished in ([\d.]+)s)?`)
	// libtestDoc is a test of the documentation: its file, item and line.
	libtestDoc = pattern.New(`^(\S+\.(?:rs|md)) - (?:(.*) )?\(line (\d+)\)$`)
	// libtestTemporary is where rustdoc compiles them, which is another place each time.
	libtestTemporary = pattern.New(`\S*/rustdoctest\w+/`)
	libtestPanic     = pattern.New(`(?m)^thread '[^\n]*' (?:\(\d+\) )?panicked at ([^\n]*?):?$`)
)

// What a runner prints before a program, and behind one that ended badly: its exit code
// and its path.
const (
	libtestRunning = "     Running "
	libtestEnded   = "     Ended "
)

// redCode is the exit code of a program whose tests failed.
const redCode = "101"

func Is(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if libtestBegin.Match(line) || bytes.HasPrefix(line, []byte(`{"reason":"compiler-`)) || bytes.HasPrefix(line, []byte(`{"reason":"build-finished"`)) {
			return true
		}
	}
	return false
}

// libtest follows the lines of a run.
type libtest struct {
	c     *collect.Collector
	build rustBuild
	suite string // of the program that runs
	mute  bool   // it has been started and printed nothing that is of the format
	red   bool   // it has listed a failed test
	run   *libtestRun
	known bool // something that is of the format was read
}

// libtestRun is what one program prints.
type libtestRun struct {
	want   int
	cases  []*qa.Case
	byName map[string]*qa.Case
	open   *qa.Case // begun on a line that does not say how it ended
	told   *qa.Case // whose output is being read
	held   strings.Builder
}

func Read(r *bufio.Reader, c *collect.Collector) error {
	l := libtest{c: c, build: newRustBuild(c)}
	if _, err := collect.Lines(r, c, func(_ int, line []byte) error { return l.line(bytes.TrimRight(line, "\r\n")) }); err != nil {
		return err
	}
	if !l.known && !l.build.known {
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: `what cargo test prints, such as "running 1 test"`}
	}
	l.build.finish()
	return l.cutOff()
}

func (l *libtest) line(raw []byte) error {
	if len(raw) > 0 && raw[0] == '{' && l.run == nil && l.build.message(raw) {
		return nil
	}
	text := string(raw)
	// What a failed test has printed may look like anything.
	telling := l.run != nil && l.run.told != nil
	if program, ok := strings.CutPrefix(text, libtestRunning); ok && !telling {
		err := l.cutOff()
		l.suite, l.mute, l.red = l.build.suites[strings.TrimSpace(program)], true, false
		return err
	}
	if what, ok := strings.CutPrefix(text, libtestEnded); ok && l.run == nil {
		l.ended(what)
		return nil
	}
	if m := libtestBegin.FindStringSubmatch(text); m != nil && !telling {
		l.mute = false
		err := l.cutOff()
		want, _ := strconv.Atoi(m[1])
		l.run, l.known = &libtestRun{want: want, byName: map[string]*qa.Case{}}, true
		return err
	}
	if l.run == nil {
		return nil
	}
	if m := libtestEnd.FindStringSubmatch(text); m != nil {
		return l.end(m)
	}
	return l.run.line(l, text)
}

// line takes a line between the beginning and the result of a program.
func (r *libtestRun) line(l *libtest, text string) error {
	detail, begun := libtestDetail.FindStringSubmatch(text), libtestCase.FindStringSubmatch(text)
	switch {
	case detail != nil:
		r.tell()
		r.told = r.byName[detail[1]]
	case text == "failures:":
		r.tell()
	case r.told != nil:
		if r.held.Len() < collect.MaxOutput {
			r.held.WriteString(text + "\n")
		}
	case begun != nil && r.byName[begun[1]] == nil:
		if !l.c.Room.Take(collect.OfLevels, 1) {
			return l.c.Room.Err
		}
		r.open = &qa.Case{Suite: l.suite, Name: begun[1], Status: qa.Errored, Message: "started and never finished: killed or crashed"}
		r.byName[begun[1]] = r.open
		r.cases = append(r.cases, r.open)
		r.settle(begun[2])
	default: // what a test prints past libtest stands between its name and its end
		r.settle(text)
	}
	return nil
}

// settle takes the end of the test that is open.
func (r *libtestRun) settle(text string) {
	m := libtestResult.FindStringSubmatch(text)
	if r.open == nil || m == nil {
		return
	}
	r.open.Message = ""
	switch result := m[1]; {
	case result == "FAILED":
		r.open.Status, r.open.Message = qa.Failed, "no message"
	case strings.HasPrefix(result, "ignored"):
		r.open.Status, r.open.Message = qa.Skipped, collect.Clean([]byte(strings.TrimPrefix(strings.TrimPrefix(result, "ignored"), ", ")), collect.MaxMessage)
	default:
		r.open.Status = qa.Passed
	}
	r.open = nil
}

// tell gives a failed test what was read of it.
func (r *libtestRun) tell() {
	if r.told == nil {
		return
	}
	text := libtestTemporary.ReplaceAllString(strings.Trim(r.held.String(), "\n"), "")
	r.held.Reset()
	where := ""
	if m := libtestPanic.FindStringSubmatchIndex(text); m != nil {
		where = "panicked at " + text[m[2]:m[3]] + ": "
		text = text[:m[0]] + strings.TrimSuffix(where, ": ") + text[m[1]:] // a thread's number is another one each time
		said, _, _ := strings.Cut(text[m[0]+len(where)-2:], "\nstack backtrace:")
		said, _, _ = strings.Cut(said, "\nnote: run with `RUST_BACKTRACE")
		r.told.Message = where + strings.TrimSpace(said)
	} else {
		r.told.Message = collect.Heading(text, 3)
	}
	r.told.Message = collect.Clean([]byte(r.told.Message), collect.MaxMessage)
	r.told.Output = collect.Clean([]byte(text), collect.MaxOutput)
	r.told = nil
}

// end takes the result line of a program and hands its tests over.
func (l *libtest) end(m []string) error {
	r := l.run
	r.tell()
	counted := map[qa.Status]int{}
	for _, t := range r.cases {
		counted[t.Status]++
	}
	passed, _ := strconv.Atoi(m[1])
	failed, _ := strconv.Atoi(m[2])
	skipped, _ := strconv.Atoi(m[3])
	if seconds, err := strconv.ParseFloat(m[4], 64); err == nil {
		l.c.Suite.Seconds += seconds
	}
	l.red = failed > 0
	switch {
	case failed > counted[qa.Failed]:
		l.c.Problem("crash", l.where(), "the result says that "+m[2]+" tests failed, and "+strconv.Itoa(counted[qa.Failed])+" of them are listed")
	case passed != counted[qa.Passed] || failed != counted[qa.Failed] || skipped != counted[qa.Skipped]:
		l.c.Warnf("the result of %q says %d passed, %d failed, %d ignored; listed are %d, %d, %d", l.where(), passed, failed, skipped, counted[qa.Passed], counted[qa.Failed], counted[qa.Skipped])
	}
	return l.hand()
}

// ended tells of a program whose exit code no listed test explains: another failing test
// explains the exit code of cargo.
func (l *libtest) ended(what string) {
	code, program, _ := strings.Cut(what, " ")
	text := "the test program ended with exit code " + code
	switch {
	case l.mute:
		text += "; it has a harness of its own, which lists no tests"
	case l.red && code == redCode:
		return
	default:
		text += ", which none of its tests explains"
	}
	l.mute = false
	where := cmp.Or(l.build.suites[strings.TrimSpace(program)], l.where())
	l.c.Problem("crash", collect.CleanName([]byte(where)), collect.Clean([]byte(text), collect.MaxMessage))
}

// cutOff closes a program that printed no result: it crashed, or a test ended it.
func (l *libtest) cutOff() error {
	if l.mute && l.run == nil {
		l.mute = false
		l.c.Warnf("%s has a harness of its own: its exit code is all that is known of it", l.where())
	}
	if l.run == nil {
		return nil
	}
	l.run.tell()
	l.c.Problem("crash", l.where(), "the test program ended without a result: "+strconv.Itoa(len(l.run.cases))+" of "+strconv.Itoa(l.run.want)+" tests are listed")
	return l.hand()
}

func (l *libtest) where() string { return cmp.Or(l.suite, "cargo test") }

func (l *libtest) hand() error {
	run := l.run
	l.run, l.suite = nil, ""
	for _, t := range run.cases {
		l.documented(t)
	}
	// They are listed as they end, which is never the same.
	slices.SortStableFunc(run.cases, func(a, b *qa.Case) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	for _, t := range run.cases {
		t.Suite, t.Name = collect.CleanName([]byte(t.Suite)), collect.CleanName([]byte(t.Name))
		if err := l.c.Add(*t, 0); err != nil {
			return err
		}
	}
	return nil
}

// documented names a test of the documentation by its item: lines move.
func (l *libtest) documented(t *qa.Case) {
	m := libtestDoc.FindStringSubmatch(t.Name)
	if m == nil {
		return
	}
	t.Raw = &qa.RawName{Suite: t.Suite, Name: t.Name}
	t.Suite, t.File, t.Name = "doc-tests", l.c.Place(m[1]), m[2]
	t.Line, _ = strconv.Atoi(m[3])
	if t.Name == "" {
		t.Name = path.Base(m[1])
	}
}
