package jsonfile

import (
	"bufio"
	"bytes"
	"cmp"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The json formatter of RSpec 3: one object with every example.

func IsRSpec(head []byte) bool { return collect.StartsLine(head, beginsRSpec) }

func beginsRSpec(head []byte) bool {
	return collect.BeginsWithKey(head, func(key string) bool {
		return key == "examples" || key == "summary_line" ||
			(key == "version" || key == "messages" || key == "seed" || key == "summary") &&
				(bytes.Contains(head, []byte(`"examples"`)) || bytes.Contains(head, []byte(`"example_count"`)))
	})
}

type rspecRun struct {
	c                *collect.Collector
	listed           bool
	failed, outside  int // claimed
	examples         int // claimed, -1 when absent
	messages, backed []string
}

func ReadRSpec(r *bufio.Reader, c *collect.Collector) error {
	run := rspecRun{c: c, examples: -1}
	doc := collect.Document{Begins: beginsRSpec, Member: run.member, Listed: func() bool { return run.listed }, Want: `an "examples" list as rspec --format json writes`}
	if err := doc.Read(r, c); err != nil {
		return err
	}
	run.check()
	return nil
}

func (r *rspecRun) member(s *jsonscan.Scanner, key string) {
	switch key {
	case "examples":
		r.listed = s.Next() == jsonscan.Array
		r.c.AddEach(s, r.example)
	case "messages":
		s.Array(func() {
			if text := collect.Prose(s, collect.MaxMessage); len(r.messages) < 20 {
				r.messages = append(r.messages, strings.TrimSpace(text))
			}
		})
	case "summary":
		s.Object(func(key []byte) {
			switch string(key) {
			case "duration":
				r.c.Suite.Seconds, _ = s.Float()
			case "example_count":
				r.examples = collect.Whole(s)
			case "failure_count":
				r.failed = collect.Whole(s)
			case "errors_outside_of_examples_count":
				r.outside = collect.Whole(s)
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
			t.Name = collect.Name(s)
		case "full_description":
			full = collect.Name(s)
		case "status":
			status = collect.Name(s)
		case "file_path":
			file = collect.Name(s)
		case "line_number":
			t.Line = max(collect.Whole(s), 0)
		case "run_time":
			t.Seconds, _ = s.Float()
		case "pending_message":
			t.Message = collect.Prose(s, collect.MaxMessage)
		case "exception":
			s.Object(func(key []byte) {
				switch string(key) {
				case "class":
					class = collect.Name(s)
				case "message":
					text = collect.Prose(s, collect.MaxMessage)
				case "backtrace":
					s.Array(func() {
						if frame := collect.Prose(s, collect.MaxMessage); len(r.backed) < 100 {
							r.backed = append(r.backed, frame)
						}
					})
				}
			})
		}
	})
	t.Name = cmp.Or(t.Name, full)
	t.Suite = strings.TrimSpace(strings.TrimSuffix(full, t.Name))
	t.File = r.c.Place(strings.TrimPrefix(file, "./"))
	switch status {
	case "passed":
		t.Status, t.Message = qa.Passed, ""
	case "failed":
		t.Status = qa.Failed
		if !strings.HasPrefix(class, "RSpec::") {
			t.Status = qa.Errored
		}
		t.Message = cmp.Or(strings.TrimSpace(text), cmp.Or(class, "failed without a message"))
		t.Output = collect.Clip(collect.JoinText(collect.JoinText(class, text), strings.Join(r.backed, "\n")), collect.MaxOutput)
	case "pending":
		t.Status = qa.Skipped
	default:
		t.Status, t.Message = qa.Errored, "unknown status "+status
	}
	return t
}

func (r *rspecRun) check() {
	tally := r.c.Suite.Tally()
	bad := tally.Failed + tally.Errors
	if r.examples >= 0 && r.examples != tally.Tests {
		r.c.Warnf("summary.example_count is %d, %d examples are listed", r.examples, tally.Tests)
	}
	if r.outside > 0 {
		r.c.Problem("collect", r.c.Report, cmp.Or(strings.Join(r.messages, "\n"), "errors outside of examples"))
	}
	if r.failed > 0 && bad == 0 {
		r.c.Problem("crash", r.c.Report, "the report claims failed examples and lists none of them")
	}
}
