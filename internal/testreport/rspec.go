package testreport

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
)

// The json formatter of RSpec 3: one object with every example.

func isRSpec(head []byte) bool { return startsLine(head, beginsRSpec) }

func beginsRSpec(head []byte) bool {
	return beginsWithKey(head, func(key string) bool {
		return key == "examples" || key == "summary_line" ||
			(key == "version" || key == "messages" || key == "seed" || key == "summary") &&
				(bytes.Contains(head, []byte(`"examples"`)) || bytes.Contains(head, []byte(`"example_count"`)))
	})
}

type rspecRun struct {
	c                *collector
	listed           bool
	failed, outside  int // claimed
	examples         int // claimed, -1 when absent
	messages, backed []string
}

func readRSpec(r *bufio.Reader, c *collector) error {
	s, err := document(r, c, beginsRSpec)
	if err != nil {
		return err
	}
	run := rspecRun{c: c, examples: -1}
	line := s.Line()
	s.Object(func(key []byte) { run.member(s, string(key)) })
	if s.Err() != nil {
		return s.Err()
	}
	if !run.listed {
		return &Error{Line: line, Err: ErrFormat, Want: `an "examples" list as rspec --format json writes`}
	}
	trailing(s, c)
	run.check()
	return nil
}

func (r *rspecRun) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "examples":
		r.listed = s.Next() == jsonscan.Array
		s.Array(func() {
			t := r.example(s)
			if s.Err() == nil {
				s.Stop(r.c.add(t, 0))
			}
		})
	case "messages":
		s.Array(func() {
			if text := prose(s, maxMessage); len(r.messages) < 20 {
				r.messages = append(r.messages, strings.TrimSpace(text))
			}
		})
	case "summary":
		s.Object(func(key []byte) {
			switch string(key) {
			case "duration":
				r.c.suite.Seconds, _ = s.Float()
			case "example_count":
				r.examples = whole(s)
			case "failure_count":
				r.failed = whole(s)
			case "errors_outside_of_examples_count":
				r.outside = whole(s)
			}
		})
	}
}

func (r *rspecRun) example(s *jsonscan.Scanner) qa.Case {
	var t qa.Case
	var full, file, status, class, text string
	r.backed = r.backed[:0]
	s.Object(func(key []byte) {
		switch string(key) {
		case "description":
			t.Name = name(s)
		case "full_description":
			full = name(s)
		case "status":
			status = name(s)
		case "file_path":
			file = name(s)
		case "line_number":
			t.Line = max(whole(s), 0)
		case "run_time":
			t.Seconds, _ = s.Float()
		case "pending_message":
			t.Message = prose(s, maxMessage)
		case "exception":
			s.Object(func(key []byte) {
				switch string(key) {
				case "class":
					class = name(s)
				case "message":
					text = prose(s, maxMessage)
				case "backtrace":
					s.Array(func() {
						if frame := prose(s, maxMessage); len(r.backed) < 100 {
							r.backed = append(r.backed, frame)
						}
					})
				}
			})
		}
	})
	if t.Name == "" {
		t.Name = full
	}
	t.Suite = strings.TrimSpace(strings.TrimSuffix(full, t.Name))
	t.File = r.c.place(strings.TrimPrefix(file, "./"))
	switch status {
	case "passed":
		t.Status, t.Message = qa.Passed, ""
	case "failed":
		t.Status = qa.Failed
		if !strings.HasPrefix(class, "RSpec::") {
			t.Status = qa.Errored
		}
		t.Message = or(strings.TrimSpace(text), or(class, "failed without a message"))
		t.Output = clip(joinText(joinText(class, text), strings.Join(r.backed, "\n")), maxOutput)
	case "pending":
		t.Status = qa.Skipped
	default:
		t.Status, t.Message = qa.Errored, "unknown status "+status
	}
	return t
}

func (r *rspecRun) check() {
	tally := r.c.suite.Tally()
	bad := tally.Failed + tally.Errors
	if r.examples >= 0 && r.examples != tally.Tests {
		r.c.warnf("summary.example_count is %d, %d examples are listed", r.examples, tally.Tests)
	}
	if r.outside > 0 {
		r.c.problem("collect", r.c.report, or(strings.Join(r.messages, "\n"), "errors outside of examples"))
	}
	if r.failed > 0 && bad == 0 {
		r.c.problem("crash", r.c.report, "the report claims failed examples and lists none of them")
	}
}
