package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/output"
)

// NoneError says that there is no session to go on with.
type NoneError struct {
	Dir   string
	Known []Summary
}

func (e *NoneError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no session in %s; start one with qa run", e.Dir)
	}
	names := each.Of(e.Known, func(k Summary) string { return fmt.Sprintf("%s (%s)", k.ID, k.describe()) })
	return fmt.Sprintf("no interrupted session of this commit and configuration in %s; there are: %s", e.Dir, strings.Join(names, ", "))
}

// CorruptError says that a session cannot be read. Nothing of it was changed.
type CorruptError struct {
	Dir   string
	Cause error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("session %s cannot be read: %v; it was left as it is, start a new one with qa run", e.Dir, e.Cause)
}

func (e *CorruptError) Unwrap() error { return e.Cause }

// ForeignError says that a session belongs to another run. Nothing of it was
// changed.
type ForeignError struct {
	ID, What, Has, Want string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("session %s belongs to another %s (%s, not %s); start a new one with qa run", e.ID, e.What, cmp.Or(e.Has, unknown), cmp.Or(e.Want, unknown))
}

// Resume takes over a session that was interrupted: the one named id, or the
// newest one with this key. The table is the plan again, without rows added on
// the way, and rows that were not completed are pending.
// Whether a completed task need not run again is decided when its inputs are
// known, by [Session.Kept].
//
// Errors: [NoneError], [ForeignError], [CorruptError], [BusyError], and
// [output.RefusedError] for one that somebody else may have written.
func Resume(out *output.Dir, id string, key Key, now func() time.Time) (*Session, error) {
	return resume(out, id, key, now, nil)
}

func resume(out *output.Dir, id string, key Key, now func() time.Time, step stepFunc) (*Session, error) {
	if now == nil {
		now = time.Now
	}
	if id == "" {
		known, err := List(out)
		if err != nil {
			return nil, err
		}
		for _, k := range known { // newest first
			if k.Broken == nil && k.Meta.State != Finished && k.Meta.Key == key {
				id = k.ID
				break
			}
		}
		if id == "" {
			return nil, &NoneError{Dir: out.Path(), Known: known}
		}
	}
	s, err := open(out, id, now, step)
	if err != nil {
		return nil, err
	}
	if err := s.takeOver(key); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open reads a session and takes its lock; nothing is written.
func open(out *output.Dir, id string, now func() time.Time, step stepFunc) (*Session, error) {
	if !isID(id) {
		return nil, fmt.Errorf("%q is not the name of a session", id)
	}
	d, err := openDir(out, id)
	if err != nil {
		return nil, err
	}
	d.step = step
	s := on(d, now)
	if s.meta, err = readMeta(d); err == nil {
		s.lock, err = d.acquire()
	}
	if err == nil {
		err = s.load()
	}
	if err != nil {
		var busy *BusyError
		if !errors.As(err, &busy) {
			err = &CorruptError{Dir: d.dir, Cause: err}
		}
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func readMeta(d *disk) (Meta, error) {
	var m Meta
	if err := d.unjson(metaFile, &m); err != nil {
		return Meta{}, err
	}
	if m.Schema != Schema {
		return Meta{}, fmt.Errorf("%s: written by another version (schema %d, this one reads %d)", metaFile, m.Schema, Schema)
	}
	if m.Clocks == nil {
		m.Clocks = map[string]Clock{}
	}
	return m, nil
}

func (s *Session) load() error {
	data, err := s.disk.read(tasksFile)
	if err != nil {
		return err
	}
	if s.rows, err = decodeTasks(data); err != nil {
		return fmt.Errorf("%s: %w", tasksFile, err)
	}
	if err := s.Memory.load(); err != nil {
		return err
	}
	if err := s.disk.unjson(roundsFile, &s.Loop.state); err != nil {
		return err
	}
	return errors.Join(s.Board.load(), s.Messages.load())
}

// takeOver makes a session of an ended process ours.
func (s *Session) takeOver(key Key) error {
	for _, part := range []ForeignError{
		{What: "repository", Has: s.meta.Key.Repository, Want: key.Repository},
		{What: "commit", Has: s.meta.Key.Head, Want: key.Head},
		{What: "configuration", Has: s.meta.Key.Config, Want: key.Config},
	} {
		if part.Has != part.Want {
			part.ID = s.meta.ID
			return &part
		}
	}
	if s.meta.State == Finished {
		return fmt.Errorf("session %s is finished, there is nothing to go on with; start a new one with qa run", s.meta.ID)
	}
	if err := s.disk.sweep(); err != nil {
		return err
	}
	s.rows = s.rows.without(s.meta.Added)
	for i := range s.rows {
		t := &s.rows[i]
		if t.Status != Completed {
			t.Status, t.Error = Pending, ""
		}
	}
	s.rows = s.rows.inWaves()
	if err := s.rows.save(s.disk); err != nil {
		return err
	}
	if err := removeWaves(s.disk); err != nil {
		return err
	}
	for id, clock := range s.meta.Clocks {
		if clock.Ended == "" {
			delete(s.meta.Clocks, id)
		}
	}
	s.meta.State, s.meta.Added = Active, nil
	s.meta.Runs++
	return s.saveMeta()
}

// removeWaves removes the files of waves that an ended process left.
func removeWaves(d *disk) error {
	names, err := fs.Glob(d.root.FS(), "wave-*.csv")
	for _, name := range names {
		err = errors.Join(err, d.remove(name))
	}
	return err
}
