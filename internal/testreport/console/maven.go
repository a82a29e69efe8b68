package console

import (
	"bufio"

	"github.com/org/qa-action/internal/pattern"

	"github.com/org/qa-action/internal/testreport/collect"
)

// What Maven prints of a build. Told to go on after failed tests, it ends well too where
// Surefire ended the tests for their time, or counts too many that passed at another
// attempt: of both only a line tells. A class that was ended has no report, or one that
// says it passed.
var (
	mavenEnded = pattern.New(`\[ERROR\] (There was a timeout (?:or other error )?in the fork)`)
	mavenFlaky = pattern.New(`\b(\d+ flakes? and failOnFlakeCount is set to \d+)`)
)

const mavenBegin = "# maven"

// IsMaven reports whether an output begins with the line that the adapter puts there: a
// quiet build may print nothing.
func IsMaven(head []byte) bool { return opens(head, mavenBegin) }

// ReadMaven reads the console output of Maven.
func ReadMaven(r *bufio.Reader, c *collect.Collector) error {
	known := false
	_, err := lines(r, c, func(text string) {
		known = known || text == mavenBegin
		for _, p := range []*pattern.Pattern{mavenEnded, mavenFlaky} {
			if m := p.FindStringSubmatch(text); m != nil {
				c.Problem("crash", "maven", m[1])
			}
		}
	})
	if err == nil && !known {
		err = &collect.Error{Line: 1, Err: collect.ErrFormat, Want: "an output that begins with " + mavenBegin}
	}
	return err
}
