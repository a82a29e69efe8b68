// Package notes is what a run has to say beside its results: warnings, and what
// a budget left out.
package notes

import (
	"fmt"
	"slices"
	"sync"

	"github.com/org/qa-action/internal/llm"
)

// Log collects the notes of one run. Tasks that run side by side add to it.
type Log struct {
	mu       sync.Mutex
	warnings []string
	unsaid   []string
	cuts     []string
}

// Warn adds a warning.
func (l *Log) Warn(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.warnings = append(l.warnings, fmt.Sprintf(format, args...))
}

// Note warns of an error that does not change the result.
func (l *Log) Note(err error) {
	if err != nil {
		l.Warn("%v", err)
	}
}

// Model notes an error of a request to the model. The manifest's model part
// tells those on which anything depends, once for all.
func (l *Log) Model(err error) {
	if err == nil || !llm.Missing(err) {
		l.Note(err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsaid = append(l.unsaid, err.Error())
}

// Cut notes, once, what a budget left out.
func (l *Log) Cut(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(l.cuts, text) {
		l.cuts = append(l.cuts, text)
	}
}

// Warnings are those of now.
func (l *Log) Warnings() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.warnings)
}

// Unsaid is what the model did not say: a warning unless its part of the manifest
// tells.
func (l *Log) Unsaid() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.unsaid)
}

// Cuts are what budgets left out so far.
func (l *Log) Cuts() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.cuts)
}
