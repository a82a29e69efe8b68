package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

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

type messageLog struct {
	last int
	sent map[string]bool
}

func newMessageLog() messageLog { return messageLog{sent: map[string]bool{}} }

func (m Message) identity() string {
	return strings.Join([]string{m.From, m.Type, m.Ref, m.Summary}, "\x00")
}

// Post appends a message; id, time, default receiver and the role in front of
// the summary are filled in here.
func (s *Session) Post(m Message) error {
	if !slices.Contains(messageTypes[m.From], m.Type) {
		return fmt.Errorf("post message: %s does not send %q (valid: %s)", m.From, m.Type, strings.Join(messageTypes[m.From], ", "))
	}
	if mark := "[" + m.From + "]"; !strings.HasPrefix(m.Summary, mark) {
		m.Summary = mark + " " + m.Summary
	}
	m.Summary = wording.Cut(text(m.Summary), maxFindings)
	if m.To == "" {
		m.To = "coordinator"
	}
	if m.Ref != "" && s.log.sent[m.identity()] {
		return nil
	}
	m.ID, m.TS = fmt.Sprintf("MSG-%03d", s.log.last+1), stamp(s.now())
	line, err := json.Marshal(m)
	if err == nil && len(line) > maxLine {
		m.Data = nil // the artifact named by Ref has it
		line, err = json.Marshal(m)
	}
	if err != nil {
		return fmt.Errorf("post message: %w", err)
	}
	if err := s.disk.add(messagesFile, append(line, '\n')); err != nil {
		return err
	}
	s.log.last++
	s.log.sent[m.identity()] = true
	return nil
}

// ParseMessages reads the lines of a log; lines that are no message are
// ignored and counted.
func ParseMessages(data []byte) (messages []Message, malformed int) {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var m Message
		if err := json.Unmarshal(line, &m); err != nil || number(m.ID) == 0 {
			malformed++
			continue
		}
		messages = append(messages, m)
	}
	return messages, malformed
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

func (s *Session) loadMessages() error {
	data, err := s.disk.read(messagesFile)
	if err != nil {
		return err
	}
	s.log = newMessageLog()
	messages, _ := ParseMessages(data)
	for _, m := range messages {
		s.log.last = max(s.log.last, number(m.ID))
		s.log.sent[m.identity()] = true
	}
	return nil
}
