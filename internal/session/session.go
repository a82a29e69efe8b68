// Package session keeps one run on disk: a directory that people and other
// programs can read while the run goes on, and from which an interrupted run
// goes on. Start at [Create] and [Resume]; [Look] and [List] only read.
//
// The directory <output-dir>/<id>/ holds
//
//	session.json                  [Meta]: key, state, times of tasks; written last on creation
//	tasks.csv                     [Task] rows, 19 columns; the master state, rewritten after each wave
//	wave-<n>.csv                  rows of wave n plus prev_context, only while wave n runs
//	results.csv, context.md       copies for people, written by [Session.Finish]
//	discoveries.ndjson            [discovery] lines, append-only
//	messages.ndjson               [Message] lines, append-only
//	shared-memory.json            what roles tell each other, see [Memory.Remember]
//	gc-state.json                 [Rounds]: rounds of the generator-critic loop
//	resume/<task>.json            full result of a finished task, see [Session.Keep]
//	interactive/<task>-result.json
//	wisdom/*.md                   see [Wisdom.Learn]
//	scan/ strategy/ tests/ results/ analysis/ and the reports, by [Files.WriteFile]
//	lock                          held (flock) by the one process that writes
//	.reserve                      room for a report on a full disk, see [Files.Reserve]
//
// Every file but the two logs is replaced atomically, the logs tolerate a torn
// last line: whatever instant a run is killed at, the directory stays readable.
// A Session is used by one goroutine, the one that applies results.
package session

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/rooted"
)

// Schema is the version of the directory's shape.
const Schema = 1

// Key tells which run a session belongs to. Only a session with an equal key
// is resumed.
type Key struct {
	Repository string `json:"repository"`
	Head       string `json:"head"`   // commit
	Config     string `json:"config"` // digest of the configuration
}

// State is where a session stands.
type State string

// The states of a session. Active is also what a killed run leaves behind; see
// [View.Alive].
const (
	Active      State = "active"
	Interrupted State = "interrupted"
	Finished    State = "finished"
)

// Clock records when a task ran; times are RFC 3339 with milliseconds, UTC.
type Clock struct {
	Started string `json:"started,omitempty"`
	Ended   string `json:"ended,omitempty"`
}

// Meta is the content of session.json.
type Meta struct {
	Schema  int              `json:"schema"`
	ID      string           `json:"id"`
	State   State            `json:"state"`
	Mode    string           `json:"mode"`
	Depth   string           `json:"depth,omitempty"`
	Task    string           `json:"task,omitempty"`
	Created string           `json:"created"`
	Key     Key              `json:"key"`
	Runs    int              `json:"runs"` // 1 and one more for each resumption
	Clocks  map[string]Clock `json:"tasks"`
	// Added are the rows that came in while the run went on. A resumed run
	// adds them again if it comes to the same point.
	Added []string `json:"added,omitempty"`
}

// Spec is what a new session starts from.
type Spec struct {
	Key         Key
	Mode, Depth string
	Task        string // the user's words, part of the id
	Tasks       []Task
	MaxRounds   int // of the generator-critic loop, per layer
	Now         func() time.Time
}

// Session is a session that this process writes.
type Session struct {
	Files
	Board    *Board
	Messages *Messages
	Wisdom   *Wisdom
	Memory   *Memory
	Loop     *Loop

	lock *os.File
	now  func() time.Time
	meta Meta
	rows table
}

// on is a session in a directory, with nothing read or written yet. What it
// consists of writes through the one disk.
func on(d *disk, now func() time.Time) *Session {
	return &Session{
		Files: Files{d}, Board: newBoard(d, now), Messages: newMessages(d, now), Wisdom: &Wisdom{d, now},
		Memory: &Memory{d, map[string]any{}}, Loop: &Loop{disk: d}, now: now,
	}
}

// subdirs is the tree of the seeds plus resume.
var subdirs = []string{
	"scan", "strategy", "tests/L1-unit", "tests/L2-integration", "tests/L3-e2e",
	"results", "analysis", "wisdom", "interactive", "resume",
}

// Create makes a new session in the output directory, which is created when
// missing. It never takes a directory that exists.
func Create(out *output.Dir, spec Spec) (*Session, error) {
	return create(out, spec, nil)
}

func create(out *output.Dir, spec Spec, step stepFunc) (*Session, error) {
	if spec.Now == nil {
		spec.Now = time.Now
	}
	if err := validate(spec.Tasks); err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	root, err := openOutput(out, step)
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	id, err := root.claim(identify(spec))
	if err != nil {
		return nil, fmt.Errorf("create session in %s: %w", out.Path(), err)
	}
	d, err := root.session(id)
	if err != nil {
		return nil, fmt.Errorf("create session %s: %w", id, err)
	}
	s := on(d, spec.Now)
	s.rows = table(spec.Tasks).inWaves()
	s.meta = Meta{
		Schema: Schema, ID: id, State: Active, Mode: spec.Mode, Depth: spec.Depth, Task: spec.Task,
		Created: stamp(spec.Now()), Key: spec.Key, Runs: 1, Clocks: map[string]Clock{},
	}
	s.Loop.state = Rounds{Rounds: map[string]int{}, History: []Round{}, Max: spec.MaxRounds}
	if err := s.lay(); err != nil {
		err = errors.Join(fmt.Errorf("create session %s: %w", id, err), s.Close())
		if rooted.NoRoom(err) { // or each try would take more
			err = errors.Join(err, root.root.RemoveAll(id))
		}
		return nil, err
	}
	return s, nil
}

// lay writes the first state of every file; session.json comes last and makes
// the directory a session.
func (s *Session) lay() error {
	var err error
	if s.lock, err = s.disk.acquire(); err != nil {
		return err
	}
	for _, dir := range subdirs {
		if err := s.disk.mkdir(dir); err != nil {
			return err
		}
	}
	for _, name := range []string{boardFile, messagesFile} {
		if err := s.disk.write(name, nil); err != nil {
			return err
		}
	}
	for _, topic := range topics() {
		if err := s.disk.write(wisdomFile(topic), wisdomHead(topic)); err != nil {
			return err
		}
	}
	err = s.disk.json(memoryFile, s.Memory.fields)
	if err == nil {
		err = s.disk.json(roundsFile, s.Loop.state)
	}
	if err == nil {
		err = s.rows.save(s.disk)
	}
	if err == nil {
		err = s.saveMeta()
	}
	return err
}

// ID is the session's name, also of its directory.
func (s *Session) ID() string { return s.meta.ID }

// Meta is the content of session.json.
func (s *Session) Meta() Meta { return s.meta }

// Close gives the session free for others. It does not change its state.
func (s *Session) Close() error {
	var err error
	if s.lock != nil {
		err, s.lock = errors.Join(unlock(s.lock), s.lock.Close()), nil
	}
	return errors.Join(err, s.disk.close())
}

func (s *Session) saveMeta() error { return s.disk.json(metaFile, s.meta) }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
func exact(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
