package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/org/qa-action/internal/output"
)

// sample has data for every type; the fields of its key differ in the second.
var samples = map[string][2]map[string]any{
	"issue_found":        {{"file": "a", "line": 1, "rule": "r", "severity": "high", "perspective": "bug", "description": "d"}, {"file": "a", "line": 1, "rule": "s", "severity": "high", "perspective": "bug", "description": "d"}},
	"framework_detected": {{"framework": "jest", "dir": "a", "config_file": "", "test_pattern": ""}, {"framework": "jest", "dir": "b", "config_file": "", "test_pattern": ""}},
	"test_generated":     {{"file": "a_test.go", "source_file": "a.go", "test_count": 2}, {"file": "b_test.go", "source_file": "a.go", "test_count": 2}},
	"defect_found":       {{"file": "a", "line": 1, "rule": "r", "pattern": "null", "description": ""}, {"file": "a", "line": 2, "rule": "r", "pattern": "null", "description": ""}},
	"coverage_gap":       {{"file": "a", "current": 1, "target": 80, "gap": 79}, {"file": "b", "current": 1, "target": 80, "gap": 79}},
	"convention_found":   {{"pattern": "table", "example_file": "a", "description": ""}, {"pattern": "describe", "example_file": "a", "description": ""}},
	"fix_applied":        {{"test_file": "a", "fix_type": "import", "description": ""}, {"test_file": "a", "fix_type": "mock", "description": ""}},
	"quality_metric":     {{"dimension": "score", "score": 80, "details": ""}, {"dimension": "coverage", "score": 80, "details": ""}},
}

func TestBoardKeepsOneOfEachKind(t *testing.T) {
	t.Parallel()
	if len(samples) != len(knownTypes()) {
		t.Fatalf("%d samples for %d types", len(samples), len(knownTypes()))
	}
	out := t.TempDir()
	s := mustCreate(t, out)
	put := func(kind string, data map[string]any) bool {
		added, err := s.Board.Add("W-1", kind, data)
		check(t, err)
		return added
	}
	for kind, pair := range samples {
		if !put(kind, pair[0]) || !put(kind, pair[1]) {
			t.Errorf("%s: an entry of its own was not added", kind)
		}
		if put(kind, pair[0]) {
			t.Errorf("%s: the same entry was added twice", kind)
		}
	}
	check(t, s.Close())
	board := filepath.Join(s.Dir(), boardFile)
	f, err := os.OpenFile(board, os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteString("not json\n{\"type\":\"gossip\",\"data\":{}}\n{\"type\":\"quality_metric\",\"data\":{}}\n{\"ts\":\"20")
	check(t, err)
	check(t, f.Close())

	resumed, err := Resume(output.At(out), s.ID(), testKey, at(noon))
	check(t, err)
	defer func() { check(t, resumed.Close()) }()
	if added, err := resumed.Board.Add("W-1", "coverage_gap", samples["coverage_gap"][0]); err != nil || added {
		t.Errorf("a resumed session forgot its board: %v %v", added, err)
	}
	added, err := resumed.Board.Add("W-1", "coverage_gap", map[string]any{"file": "z", "current": nil, "target": 80, "gap": nil})
	check(t, err)
	if !added {
		t.Error("nothing can be added behind a torn line")
	}
	entries, err := resumed.Board.Entries()
	check(t, err)
	if len(entries) != 17 {
		t.Errorf("%d entries", len(entries))
	}
}

func TestBoardRefusals(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	for kind, want := range map[string]string{
		"gossip":       `unknown discovery type "gossip" (valid: convention_found, coverage_gap,`,
		"coverage_gap": `discovery coverage_gap lacks "file" (its data are file, current, target, gap)`,
	} {
		if _, err := s.Board.Add("W-1", kind, map[string]any{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	added, err := s.Board.Add("W-1", "coverage_gap", map[string]any{"file": strings.Repeat("x", maxLine), "current": 1, "target": 1, "gap": 1})
	check(t, err)
	s.Board.size = maxBoard
	full, err := s.Board.Add("W-1", "coverage_gap", map[string]any{"file": "x", "current": 1, "target": 1, "gap": 1})
	check(t, err)
	entries, err := s.Board.Entries()
	check(t, err)
	if added || full || len(entries) > 0 {
		t.Errorf("added %v and %v, %d entries", added, full, len(entries))
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := mustCreate(t, out)
	check(t, s.Messages.Post(Message{From: "scout", Type: "issues_found", Summary: "2 issues\r\nin a.go", Ref: "SCOUT-001", Data: map[string]int{"high": 2}}))
	check(t, s.Messages.Post(Message{From: "coordinator", To: "user", Type: "mode_selected", Summary: "[coordinator] full"}))
	if err := s.Messages.Post(Message{From: "scout", Type: "tests_passed"}); err == nil || !strings.Contains(err.Error(), `scout does not send "tests_passed" (valid: scan_ready, issues_found, error)`) {
		t.Errorf("error %v", err)
	}
	check(t, s.Close())
	resumed, err := Resume(output.At(out), s.ID(), testKey, at(noon))
	check(t, err)
	defer func() { check(t, resumed.Close()) }()
	check(t, resumed.Messages.Post(Message{From: "scout", Type: "issues_found", Summary: "2 issues\nin a.go", Ref: "SCOUT-001"}))
	check(t, resumed.Messages.Post(Message{From: "analyst", Type: "quality_report", Summary: "80", Ref: "QAANA-001", Data: strings.Repeat("x", maxLine)}))
	data, err := resumed.ReadFile(messagesFile)
	check(t, err)
	want := `{"id":"MSG-001","ts":"2026-03-08T12:00:00Z","from":"scout","to":"coordinator","type":"issues_found","summary":"[scout] 2 issues\nin a.go","data":{"high":2},"ref":"SCOUT-001"}
{"id":"MSG-002","ts":"2026-03-08T12:00:00Z","from":"coordinator","to":"user","type":"mode_selected","summary":"[coordinator] full"}
{"id":"MSG-003","ts":"2026-03-08T12:00:00Z","from":"analyst","to":"coordinator","type":"quality_report","summary":"[analyst] 80","ref":"QAANA-001"}
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	if messages := parseMessages(append(data, "{}\nx\n{\"id\":\"MSG--1\"}\n"...)); len(messages) != 3 {
		t.Errorf("%d messages", len(messages))
	}
}

func TestMemoryHasOneOwnerPerField(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	s := mustCreate(t, out)
	check(t, s.Memory.Remember("executor", "execution_results/L1", map[string]any{"pass_rate": 0.5}))
	check(t, s.Memory.Remember("executor", "execution_results/L2", map[string]any{"pass_rate": 1}))
	check(t, s.Memory.Remember("analyst", "quality_score", nil))
	for field, want := range map[string]string{
		"quality_score": "belongs to the analyst, not to the scout",
		"mood":          `no field "mood" (valid: coverage_history, defect_patterns, discovered_issues,`,
	} {
		if err := s.Memory.Remember("scout", field, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	check(t, s.Close())
	resumed, err := Resume(output.At(out), s.ID(), testKey, at(noon))
	check(t, err)
	defer func() { check(t, resumed.Close()) }()
	check(t, resumed.Memory.Remember("executor", "execution_results/L1", map[string]any{"pass_rate": 0.75}))
	var got map[string]map[string]float64
	ok, err := resumed.Memory.Recall("execution_results", &got)
	check(t, err)
	if want := fmt.Sprint(map[string]map[string]float64{"L1": {"pass_rate": 0.75}, "L2": {"pass_rate": 1}}); !ok || fmt.Sprint(got) != want {
		t.Errorf("recalled %v", got)
	}
	var score *int
	if ok, err := resumed.Memory.Recall("quality_score", &score); err != nil || !ok || score != nil {
		t.Errorf("unknown score came back as %v", score)
	}
	if ok, _ := resumed.Memory.Recall("test_strategy", &got); ok {
		t.Error("a field that nobody set is there")
	}
}

func TestWisdomIsBoundedAndSaysWhereItIsFrom(t *testing.T) {
	t.Parallel()
	s := mustCreate(t, t.TempDir())
	check(t, s.Wisdom.Learn(Conventions, "QASTRAT-001", " tests lie\nbeside\x1b[1m the\u200b code "))
	check(t, s.Wisdom.Learn(Conventions, "QASTRAT-001", "tests lie beside the code"))
	check(t, s.Wisdom.Learn(Conventions, "QASTRAT-001", "\n"))
	data, err := s.ReadFile("wisdom/conventions.md")
	check(t, err)
	if want := "# Conventions\n\n- [QASTRAT-001 2026-03-08T12:00:00Z] tests lie beside the code\n"; string(data) != want {
		t.Errorf("got %q", data)
	}
	for i := range 80 {
		check(t, s.Wisdom.Learn(Issues, "SCOUT-001", fmt.Sprint(i, strings.Repeat("x", 2000))))
	}
	data, err = s.ReadFile("wisdom/issues.md")
	check(t, err)
	if len(data) > maxWisdom || strings.Contains(string(data), "] 0x") || !strings.Contains(string(data), "] 79x") {
		t.Errorf("%d bytes, beginning %.80q", len(data), data)
	}
	if err := s.Wisdom.Learn("gossip", "x", "y"); err == nil {
		t.Error("unknown topic accepted")
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add([]byte(`{"ts":"t","worker":"w","type":"coverage_gap","data":{"file":"a","current":1,"target":2,"gap":1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries := parseDiscoveries(data)
		if lines := strings.Count(string(data), "\n") + 1; len(entries) > lines {
			t.Errorf("%d entries of %d lines", len(entries), lines)
		}
		parseMessages(data)
	})
}
