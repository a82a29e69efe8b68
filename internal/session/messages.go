package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/org/qa-action/internal/wording"
)

const messagesFile = "messages.ndjson"

// Message is one line of messages.ndjson.
type Message struct {
	ID      string `json:"id"` // MSG-001 and on
	TS      string `json:"ts"` // RFC 3339, UTC
	From    string `json:"from"`
	To      string `json:"to"` // empty becomes coordinator
	Type    string `json:"type"`
	Summary string `json:"summary"` // begins with "[from]"
	Data    any    `json:"data,omitempty"`
	// Ref is the task or artifact the message is about. With one, the same
	// message is written once, also over a resumption.
	Ref string `json:"ref,omitempty"`
}

// messageTypes says who may send what.
var messageTypes = map[string][]string{
	"coordinator": {"mode_selected", "gc_loop_trigger", "quality_gate", "task_unblocked", "error", "shutdown"},
	"scout":       {"scan_ready", "issues_found", "error"},
	"strategist":  {"strategy_ready", "error"},
	"generator":   {"tests_generated", "tests_revised", "error"},
	"executor":    {"tests_passed", "tests_failed", "coverage_report", "error"},
	"analyst":     {"analysis_ready", "quality_report", "error"},
}

// Messages is messages.ndjson, what roles report.
type Messages struct {
	ndjson
	last int
	sent map[string]bool
}

func newMessages(disk *disk, now func() time.Time) *Messages {
	return &Messages{ndjson: ndjson{disk, messagesFile, now}, sent: map[string]bool{}}
}

func (m Message) identity() string {
	return strings.Join([]string{m.From, m.Type, m.Ref, m.Summary}, "\x00")
}

// Post appends a message; id, time, default receiver and the role in front of
// the summary are filled in here.
func (l *Messages) Post(m Message) error {
	if !slices.Contains(messageTypes[m.From], m.Type) {
		return fmt.Errorf("post message: %s does not send %q (valid: %s)", m.From, m.Type, strings.Join(messageTypes[m.From], ", "))
	}
	if mark := "[" + m.From + "]"; !strings.HasPrefix(m.Summary, mark) {
		m.Summary = mark + " " + m.Summary
	}
	m.Summary = wording.Cut(text(m.Summary), maxFindings)
	m.To = cmp.Or(m.To, "coordinator")
	if m.Ref != "" && l.sent[m.identity()] {
		return nil
	}
	m.ID, m.TS = fmt.Sprintf("MSG-%03d", l.last+1), stamp(l.now())
	text, err := line(m)
	if err == nil && !fits(text) {
		m.Data = nil // the artifact named by Ref has it
		text, err = line(m)
	}
	if err != nil {
		return fmt.Errorf("post message: %w", err)
	}
	if err := l.append(text); err != nil {
		return err
	}
	l.last++
	l.sent[m.identity()] = true
	return nil
}

// parseMessages reads the lines of a log; lines that are no message are
// ignored.
func parseMessages(data []byte) (messages []Message) {
	parseLines(data, func(m Message) {
		if number(m.ID) > 0 {
			messages = append(messages, m)
		}
	})
	return messages
}

// number is n of "MSG-n", 0 for anything else.
func number(id string) int {
	digits, ok := strings.CutPrefix(id, "MSG-")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 {
		return 0
	}
	return n
}

// load reads what an earlier process left.
func (l *Messages) load() error {
	data, err := l.read()
	if err != nil {
		return err
	}
	for _, m := range parseMessages(data) {
		l.last = max(l.last, number(m.ID))
		l.sent[m.identity()] = true
	}
	return nil
}
