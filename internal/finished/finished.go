// Package finished reads sessions that are over, wherever they lie and whoever may have
// written them: only the report is read, and one that contradicts itself is refused.
// Start at [Read].
package finished

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/quality"
	"github.com/org/qa-action/internal/reporter"
)

const reportFile = "report.json"

// Session is a session with a report.
type Session struct {
	Dir     string
	Report  *qa.Report
	Written []string // reporters whose files are there
}

// notOneError says that a directory is not, and does not hold, just one session.
type notOneError struct{ cause error }

func (e notOneError) Error() string { return e.cause.Error() }

func (e notOneError) Unwrap() error { return e.cause }

// NextStep is what the user does about it.
func (e notOneError) NextStep() string { return "name the session's directory" }

// Read reads the report of a session directory, or of the only one in a directory. Only
// regular files inside of it are looked at.
func Read(dir string) (s Session, err error) {
	if dir, err = one(dir); err != nil {
		return Session{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Session{}, notOneError{fmt.Errorf("open session: %w", err)}
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	regular := func(name string) bool {
		info, err := root.Lstat(name)
		return err == nil && info.Mode().IsRegular()
	}
	if !regular(reportFile) {
		return Session{}, fmt.Errorf("session %s: %s is not a regular file", dir, reportFile)
	}
	file, err := root.Open(reportFile)
	if err != nil {
		return Session{}, fmt.Errorf("open session: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	s = Session{Dir: dir}
	if s.Report, err = reporter.Read(file); err == nil {
		err = quality.Verify(s.Report)
	}
	if err != nil {
		return Session{}, fmt.Errorf("session %s: %s: %w", dir, reportFile, err)
	}
	if len(s.Report.Tests.Groups) == 0 { // a report of an earlier version
		s.Report.Tests.Groups = qa.GroupFailures(s.Report.Tests.Failing)
	}
	for _, name := range reporter.Names() {
		if rep, err := reporter.For(name); err == nil && rep.File != "" && regular(filepath.FromSlash(rep.File)) {
			s.Written = append(s.Written, name)
		}
	}
	return s, nil
}

// one is dir itself, or the one directory in it that holds a report.
func one(dir string) (string, error) {
	if _, err := os.Lstat(filepath.Join(dir, reportFile)); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", notOneError{fmt.Errorf("open session: %w", err)}
	}
	var inner []string
	for _, e := range entries {
		if _, err := os.Lstat(filepath.Join(dir, e.Name(), reportFile)); err == nil && e.IsDir() {
			inner = append(inner, filepath.Join(dir, e.Name()))
		}
	}
	if len(inner) != 1 {
		return "", notOneError{fmt.Errorf("session %s: %d of its directories hold a %s, expected one: name the session's directory", dir, len(inner), reportFile)}
	}
	return inner[0], nil
}
