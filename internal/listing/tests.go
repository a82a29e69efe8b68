package listing

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/wording"
)

// testsJSON is the published shape of `qa tests --json`.
type testsJSON struct {
	qa.Tally
	Seconds  float64      `json:"duration_seconds"`
	Cases    []testJSON   `json:"cases"`
	Problems []qa.Problem `json:"problems,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

type testJSON struct {
	Suite   string    `json:"suite"`
	Name    string    `json:"name"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Status  qa.Status `json:"status"`
	Seconds float64   `json:"duration_seconds"`
	Message string    `json:"message"`
}

// TestsJSON prints the published shape of `qa tests --json`; it writes the cases one by one: there may be a million of them.
func TestsJSON(w io.Writer, s qa.Suite) error {
	out := testsJSON{Tally: s.Tally(), Seconds: s.Seconds, Cases: []testJSON{}, Problems: s.Problems, Warnings: s.Warnings}
	all, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	// The runner obeys "##[…]" anywhere in a log line; the escape is the same JSON.
	to := bufio.NewWriter(w)
	put := func(text []byte) { // a failed write stays until Flush
		_, _ = to.Write(bytes.ReplaceAll(text, []byte("##["), []byte(`\u0023#[`)))
	}
	const cases = `"cases": [` // before it there are only numbers
	at := bytes.Index(all, []byte(cases)) + len(cases)
	put(all[:at])
	between := "\n    "
	for _, c := range s.Cases {
		text, err := json.MarshalIndent(testJSON{c.Suite, c.Name, c.File, c.Line, c.Status, c.Seconds, c.Message}, "    ", "  ")
		if err != nil {
			return err
		}
		put([]byte(between))
		put(text)
		between = ",\n    "
	}
	if len(s.Cases) > 0 {
		put([]byte("\n  "))
	}
	put(append(all[at:], '\n'))
	return to.Flush()
}

// Tests prints the failed and the flaky tests, and a line of counts.
func Tests(w io.Writer, s qa.Suite) error {
	var out strings.Builder
	for _, text := range s.Warnings {
		fmt.Fprintf(&out, "warning  %s\n", wording.Logged(text))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&out, "%-8s %s: %s\n", p.Kind, wording.Logged(p.Where), wording.Logged(p.Message))
	}
	for _, c := range s.Cases {
		if !c.Status.Bad() && c.Status != qa.Flaky {
			continue
		}
		fmt.Fprintf(&out, "%-8s %s", c.Status, wording.Logged(c.ID()))
		if c.Attempts > 1 {
			fmt.Fprintf(&out, " (%d attempts)", c.Attempts)
		}
		if c.File != "" && c.Line > 0 {
			fmt.Fprintf(&out, " at %s:%d", wording.Logged(c.File), c.Line)
		}
		if c.Message != "" {
			fmt.Fprintf(&out, "\n         %s", wording.Logged(c.Message))
		}
		out.WriteByte('\n')
	}
	t := s.Tally()
	fmt.Fprintf(&out, "tests %d: %d passed, %d failed, %d errors, %d skipped, %d flaky in %.1f s\n",
		t.Tests, t.Passed, t.Failed, t.Errors, t.Skipped, t.Flaky, s.Seconds)
	_, err := io.WriteString(w, out.String())
	return err
}
