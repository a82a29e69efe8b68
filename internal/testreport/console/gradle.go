package console

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/testreport/collect"
)

// What Gradle prints of a build. The tests are in reports of their own; a project that
// does not compile, or whose tests end the process, has none.
var (
	gradleEnd  = pattern.New(`^BUILD (?:SUCCESSFUL|FAILED)\b`)
	gradleTask = pattern.New(`Execution failed for task '(:?[^']+)'`)
	// gradleUnready is what keeps a build from beginning, and says nothing of the tests.
	gradleUnready = pattern.New(`Could not (?:resolve|find|GET|HEAD|get resource|determine java)|No cached version|Unsupported class file|invalid source release|No matching toolchains|SDK location not found|Task '[^']*' not found|A problem occurred (?:configuring|evaluating)|Could not (?:compile|open) (?:build|settings|init)`)
)

const gradleBegin = "# gradle"

// IsGradle reports whether an output begins with the line that the adapter puts there.
func IsGradle(head []byte) bool { return opens(head, gradleBegin) }

// opens reports whether an output has a first line.
func opens(head []byte, begin string) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return string(bytes.TrimRight(line, "\r")) == begin
}

// gradleRun follows the lines of a build.
type gradleRun struct {
	c                     *collect.Collector
	known, ended, unready bool
	inside                bool
	said                  strings.Builder
	errors                strings.Builder // of the compiler
}

// ReadGradle reads the console output of Gradle, both streams of it.
func ReadGradle(r *bufio.Reader, c *collect.Collector) error {
	g := gradleRun{c: c}
	last, err := lines(r, c, g.line)
	if err != nil {
		return err
	}
	g.tell()
	switch {
	case !g.known:
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: "an output that begins with " + gradleBegin}
	case !g.ended || g.unready:
		return &collect.Error{Line: last, Err: collect.ErrTruncated, Want: "a build that ran its tests to the end"}
	}
	return nil
}

var compilerError = pattern.New(`^\S.*\.(?:java|kt|groovy|scala):\d+: (?:error|fehler)|^e: `)

func (g *gradleRun) line(text string) {
	switch {
	case text == gradleBegin:
		g.known = true
	case gradleEnd.MatchString(text):
		g.tell()
		g.ended = true
	case strings.HasPrefix(text, "* What went wrong:"):
		g.tell()
		g.inside = true
	case strings.HasPrefix(text, "* Try:"), strings.HasPrefix(text, "* Exception is:"):
		g.tell()
	case g.inside && g.said.Len() < collect.MaxMessage:
		g.said.WriteString(text + "\n")
	case compilerError.MatchString(text) && g.errors.Len() < collect.MaxMessage/2:
		g.errors.WriteString(text + "\n")
	}
}

// tell is the end of one thing that went wrong.
func (g *gradleRun) tell() {
	text := strings.TrimSpace(g.said.String())
	g.said.Reset()
	g.inside = false
	if text == "" || strings.Contains(text, "There were failing tests") { // which are in their reports
		return
	}
	if gradleUnready.MatchString(text) {
		g.unready = true
		return
	}
	where := "gradle"
	if m := gradleTask.FindStringSubmatch(text); m != nil {
		where = m[1]
	}
	g.c.Problem("build", collect.CleanName([]byte(where)), collect.Clean([]byte(strings.TrimSpace(g.errors.String()+text)), collect.MaxMessage))
	g.errors.Reset()
}
