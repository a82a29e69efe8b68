package jsonfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testreport/collect"
)

// The json reporter of Dart's package test, which "dart test --reporter json" and
// "flutter test --machine" print: one event a line, ended by "done".

func IsDart(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("{")) {
			return bytes.Contains(line, []byte(`"protocolVersion"`)) && bytes.Contains(line, []byte(`"start"`))
		}
	}
	return false
}

type dartEvent struct {
	Type  string  `json:"type"`
	Time  float64 `json:"time"`
	Suite *struct {
		ID   int    `json:"id"`
		Path string `json:"path"`
	} `json:"suite"`
	Group *struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	} `json:"group"`
	Test *struct {
		ID       int    `json:"id"`
		Name     string `json:"name"`
		SuiteID  int    `json:"suiteID"`
		GroupIDs []int  `json:"groupIDs"`
		Line     int    `json:"line"`
		RootLine int    `json:"root_line"`
		Metadata struct {
			Skip       bool   `json:"skip"`
			SkipReason string `json:"skipReason"`
		} `json:"metadata"`
	} `json:"test"`
	TestID  int    `json:"testID"`
	Error   string `json:"error"`
	Stack   string `json:"stackTrace"`
	Result  string `json:"result"`
	Skipped bool   `json:"skipped"`
	Hidden  bool   `json:"hidden"`
	Success *bool  `json:"success"`
}

type dartRun struct {
	c       *collect.Collector
	suites  map[int]string
	groups  map[int]string
	running map[int]*dartTest
	began   bool
	done    bool
	success *bool
}

type dartTest struct {
	qa.Case
	loading bool
	start   float64
}

func ReadDart(r *bufio.Reader, c *collect.Collector) error {
	d := &dartRun{c: c, suites: map[int]string{}, groups: map[int]string{}, running: map[int]*dartTest{}}
	lines, err := collect.Lines(r, c, func(_ int, line []byte) error {
		var e dartEvent
		if text := bytes.TrimSpace(line); len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &e) == nil {
			return d.event(e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.finish(lines)
}

func (d *dartRun) event(e dartEvent) error {
	held := len(d.suites) + len(d.groups) + len(d.running)
	switch {
	case e.Type == "start":
		d.began = true
	case !d.c.Room.Fits(collect.OfCases, held):
		return d.c.Room.Err
	case e.Type == "suite" && e.Suite != nil:
		d.suites[e.Suite.ID] = collect.CleanName([]byte(e.Suite.Path))
	case e.Type == "group" && e.Group != nil:
		d.groups[e.Group.ID] = collect.CleanName([]byte(e.Group.Name))
	case e.Type == "testStart" && e.Test != nil:
		d.test(e)
	case e.Type == "error":
		if t := d.running[e.TestID]; t != nil {
			t.Message = collect.Clip(collect.JoinText(t.Message, collect.Clean([]byte(e.Error), collect.MaxMessage)), collect.MaxMessage)
			t.Output = collect.Clip(collect.JoinText(t.Output, collect.Clean([]byte(e.Error+"\n"+e.Stack), collect.MaxOutput)), collect.MaxOutput)
		}
	case e.Type == "testDone":
		return d.ended(e)
	case e.Type == "done":
		d.done, d.success = true, e.Success
	}
	return nil
}

func (d *dartRun) test(e dartEvent) {
	t := &dartTest{start: e.Time, loading: len(e.Test.GroupIDs) == 0 && strings.HasPrefix(e.Test.Name, "loading ")}
	t.Name = collect.CleanName([]byte(e.Test.Name))
	for _, id := range e.Test.GroupIDs {
		t.Suite = cmp.Or(d.groups[id], t.Suite) // each has the names of those around it
	}
	if rest, ok := strings.CutPrefix(t.Name, t.Suite+" "); ok && t.Suite != "" {
		t.Name = rest
	}
	t.File = d.c.Place(d.suites[e.Test.SuiteID])
	if t.Line = e.Test.RootLine; t.Line <= 0 {
		t.Line = max(e.Test.Line, 0)
	}
	if e.Test.Metadata.Skip {
		t.Message = collect.Clean([]byte(e.Test.Metadata.SkipReason), collect.MaxMessage)
	}
	d.running[e.Test.ID] = t
}

func (d *dartRun) ended(e dartEvent) error {
	t := d.running[e.TestID]
	if t == nil {
		return nil
	}
	delete(d.running, e.TestID)
	t.Seconds = max(e.Time-t.start, 0) / 1000
	switch {
	case t.loading && e.Result != "success":
		d.c.Problem("collect", cmp.Or(t.File, t.Name), cmp.Or(t.Message, "could not be loaded"))
		return nil
	case t.loading || e.Hidden && e.Result == "success":
		return nil
	case e.Skipped:
		t.Status = qa.Skipped
	case e.Result == "success":
		t.Status, t.Message = qa.Passed, ""
	case e.Result == "failure":
		t.Status = qa.Failed
	default:
		t.Status = qa.Errored
		t.Message = cmp.Or(t.Message, "ended as "+collect.CleanName([]byte(e.Result)))
	}
	return d.c.Add(t.Case, 0)
}

// finish ends the report; a test that began and never ended was not judged.
func (d *dartRun) finish(lines int) error {
	if !d.began {
		return &collect.Error{Line: 1, Err: collect.ErrFormat, Want: `an event of type "start" as dart test --reporter json prints`}
	}
	if !d.done {
		return &collect.Error{Line: lines, Err: collect.ErrTruncated, Want: `an event of type "done"`}
	}
	if len(d.running) > 0 {
		d.c.Problem("crash", d.c.Report, strconv.Itoa(len(d.running))+" tests began, and the report does not say how they ended")
	}
	tally := d.c.Suite.Tally()
	if d.success != nil && !*d.success && tally.Failed+tally.Errors == 0 && len(d.c.Suite.Problems) == 0 {
		d.c.Problem("crash", d.c.Report, "the run did not succeed though no test failed")
	}
	if d.success == nil {
		d.c.Problem("crash", d.c.Report, "the run was ended before all tests had run")
	}
	return nil
}
