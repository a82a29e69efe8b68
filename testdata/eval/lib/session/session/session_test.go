package session

import (
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestValid(t *testing.T) {
	l := Limits{Idle: time.Hour, Age: 8 * time.Hour}
	s := Session{User: "ann", Started: start, Used: start}
	if !l.Valid(s, start.Add(30*time.Minute)) {
		t.Error("a fresh session is not valid")
	}
	if l.Valid(s, start.Add(9*time.Hour)) {
		t.Error("an old and idle session is valid")
	}
	s.Revoked = true
	if l.Valid(s, start) {
		t.Error("a revoked session is valid")
	}
}

func TestTouch(t *testing.T) {
	l := Limits{Idle: time.Hour}
	s, ok := l.Touch(Session{User: "ann", Started: start, Used: start}, start.Add(time.Minute))
	if !ok || !s.Used.Equal(start.Add(time.Minute)) {
		t.Errorf("got %v, %v", s, ok)
	}
}

func TestSweep(t *testing.T) {
	all := []Session{{User: "a", Used: start}, {}, {User: "b", Used: start}}
	if got := (Limits{}).Sweep(all, start); len(got) != 2 {
		t.Errorf("%d left", len(got))
	}
}
