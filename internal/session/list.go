package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/org/qa-action/internal/output"
)

// Summary is one session of an output directory.
type Summary struct {
	ID   string
	Meta Meta
	// Broken says why the session cannot be read, for instance because the
	// process ended while it was creating it.
	Broken error
	Done   int
	Total  int
}

func (s Summary) describe() string {
	if s.Broken != nil {
		return "unreadable"
	}
	return fmt.Sprintf("%s, %d of %d tasks done, commit %s", s.Meta.State, s.Done, s.Total, cmp.Or(s.Meta.Key.Head[:min(7, len(s.Meta.Key.Head))], unknown))
}

// List looks at all sessions of an output directory, newest first. A missing
// directory holds none.
func List(out *output.Dir) ([]Summary, error) {
	root, err := out.Existing()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var known []Summary
	for _, e := range entries {
		if e.IsDir() && isID(e.Name()) {
			known = append(known, summarise(out, e.Name()))
		}
	}
	slices.SortFunc(known, func(a, b Summary) int {
		// "-10" stands behind "-2".
		return cmp.Or(cmp.Compare(b.Meta.Created, a.Meta.Created), cmp.Compare(len(b.ID), len(a.ID)), cmp.Compare(b.ID, a.ID))
	})
	return known, nil
}

func summarise(out *output.Dir, id string) Summary {
	sum := Summary{ID: id}
	d, err := openDir(out, id)
	if err != nil {
		sum.Broken = err
		return sum
	}
	defer func() { _ = d.close() }() // only read
	meta, tasks, err := glance(d)
	if err != nil {
		sum.Broken = err
		return sum
	}
	sum.Meta, sum.Total = meta, len(tasks)
	for _, t := range tasks {
		if t.Status.over() {
			sum.Done++
		}
	}
	return sum
}

// glance reads what a view needs, without the lock: files are replaced
// atomically, so each is whole.
func glance(d *disk) (Meta, []Task, error) {
	meta, err := readMeta(d)
	if err != nil {
		return Meta{}, nil, err
	}
	data, err := d.read(tasksFile)
	if err != nil {
		return Meta{}, nil, err
	}
	tasks, err := decodeTasks(data)
	if err != nil {
		return Meta{}, nil, fmt.Errorf("%s: %w", tasksFile, err)
	}
	return meta, tasks, nil
}

// openDir opens a session's directory for reading, if it is ours.
func openDir(out *output.Dir, id string) (*disk, error) {
	if err := out.Ours(id); err != nil {
		return nil, err
	}
	root, err := out.Existing()
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	d := &disk{dir: out.Path(), root: root}
	opened, err := d.session(id)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	return opened, nil
}
