package console

import (
	"bufio"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/testreport/collect"
)

// What deno test prints. Its JUnit leaves out what fails outside of a test, and is not
// written at all where a module is not found or does not compile.
var (
	denoModule  = pattern.New(`^(?:\./)?(\S.*) \(uncaught error\)$`)
	denoEnd     = pattern.New(`^(?:ok|FAILED) \| \d+ passed`)
	denoError   = pattern.New(`^error: (.*)$`)
	denoCompile = pattern.New(`^(?:SyntaxError|Type checking failed|Module not found "file:|Relative import path|The module's source code could not be parsed|Expression expected|Unexpected token)`)
	denoPlace   = pattern.New(`file://(/\S+?):\d+`)
)

// denoBegin is the first line of an output that is read as deno's: nothing that deno
// prints says whose output it is.
const denoBegin = "# deno test"

// IsDeno reports whether an output is one that begins so.
func IsDeno(head []byte) bool { return opens(head, denoBegin) }

// denoRun follows the lines of a run.
type denoRun struct {
	c            *collect.Collector
	known, ended bool
	listing      bool   // the failures are told, and not only named
	module       string // that failed outside of a test
	before       strings.Builder
	said         strings.Builder
	broken       bool // what does not compile is being told
}

// ReadDeno reads the console output of deno test, both streams of it.
func ReadDeno(r *bufio.Reader, c *collect.Collector) error {
	d := denoRun{c: c}
	last, err := lines(r, c, d.line)
	if err != nil {
		return err
	}
	d.tell()
	switch {
	case !d.known:
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: "an output that begins with " + denoBegin}
	case !d.ended && !d.broken:
		return &collect.Error{Line: last, Err: collect.ErrTruncated, Want: `"ok | … passed" at the end of what deno test prints`}
	}
	return nil
}

func (d *denoRun) line(text string) {
	m := denoModule.FindStringSubmatch(text)
	e := denoError.FindStringSubmatch(text)
	switch {
	case text == denoBegin:
		d.known = true
	case strings.TrimSpace(text) == "ERRORS":
		d.listing = true
	case strings.TrimSpace(text) == "FAILURES":
		d.tell()
		d.listing = false
	case denoEnd.MatchString(text):
		d.tell()
		d.ended = true
	case d.listing && m != nil:
		d.tell()
		d.module = m[1]
	case d.module != "" && strings.HasPrefix(text, "This error was not caught from a test"), strings.HasPrefix(text, "Stack backtrace:"):
		d.tell()
	case d.module != "":
		d.say(text)
	case !d.listing && !d.ended && e != nil && denoCompile.MatchString(e[1]):
		d.broken, d.module = true, "deno test"
		d.said.WriteString(d.before.String())
		d.say(text)
	case strings.Contains(text, "[ERROR]"), d.before.Len() > 0 && text != "":
		if d.before.Len() < collect.MaxMessage {
			d.before.WriteString(text + "\n")
		}
	}
}

func (d *denoRun) say(text string) {
	if d.said.Len() < collect.MaxMessage {
		d.said.WriteString(text + "\n")
	}
}

// tell is the end of one failure outside of tests.
func (d *denoRun) tell() {
	if d.module == "" {
		return
	}
	kind, where, text := "collect", d.module, strings.TrimSpace(d.said.String())
	if d.broken {
		kind = "build"
		if m := denoPlace.FindStringSubmatch(text); m != nil {
			where = m[1]
		}
	}
	if at := d.c.Place(where); at != "" {
		where = at
	} else {
		where = "deno test"
	}
	d.c.Problem(kind, where, collect.Clean([]byte(text), collect.MaxMessage))
	d.module = ""
	d.said.Reset()
}
