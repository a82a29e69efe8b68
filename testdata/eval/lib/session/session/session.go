// Package session decides whether a session is still good.
package session

import "time"

// Limits bound the life of sessions; zero is no bound.
type Limits struct {
	Idle time.Duration // between two uses
	Age  time.Duration // since the start
}

// Session is what is known of one.
type Session struct {
	User    string
	Started time.Time
	Used    time.Time
	Revoked bool
}

// Valid reports whether a session may be used at a moment.
func (l Limits) Valid(s Session, now time.Time) bool {
	if s.User == "" || s.Revoked {
		return false
	}
	if l.Idle > 0 && now.Sub(s.Used) >= l.Idle {
		return false
	}
	if l.Age > 0 && now.Sub(s.Started) >= l.Age {
		return false
	}
	return true
}

// Touch marks a valid session as used; others are left as they are.
func (l Limits) Touch(s Session, now time.Time) (Session, bool) {
	if !l.Valid(s, now) {
		return s, false
	}
	s.Used = now
	return s, true
}

// Sweep gives the sessions that are still valid, in their order.
func (l Limits) Sweep(all []Session, now time.Time) []Session {
	var out []Session
	for _, s := range all {
		if l.Valid(s, now) {
			out = append(out, s)
		}
	}
	return out
}
