package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/rooted"
)

// stepFunc is called before every operation that changes the disk, so that
// tests can make the n-th one fail or end the process there; such a disk need
// not survive a power failure and is never synced. Production code passes nil.
type stepFunc func(operation, path string) error

// disk is one directory and all that is done to it. Nothing leaves the
// directory, whatever links stand in it.
type disk struct {
	dir  string // absolute
	root *os.Root
	step stepFunc
}

const (
	metaFile  = "session.json"
	tasksFile = "tasks.csv"
	lockFile  = "lock"
	tempMark  = ".tmp~" // part of the name of every unfinished file
)

func (d *disk) close() error { return d.root.Close() }

func (d *disk) before(operation, path string) error {
	if d.step == nil {
		return nil
	}
	return d.step(operation, path)
}

// openOutput opens the output directory, making it when missing.
func openOutput(out *output.Dir, step stepFunc) (*disk, error) {
	d := &disk{dir: out.Path(), step: step}
	err := d.before("mkdir", d.dir)
	if err == nil {
		d.root, err = out.Root()
	}
	return d, err
}

// claim makes a new directory: id, or with a number behind it when that
// exists.
func (d *disk) claim(id string) (string, error) {
	for n := 1; ; n++ {
		name := id
		if n > 1 {
			name = fmt.Sprintf("%s-%d", id, n)
		}
		if err := d.before("mkdir", name); err != nil {
			return "", err
		}
		err := d.root.Mkdir(name, 0o755)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%w (is the output directory writable?)", err)
		}
	}
}

// session opens a session's own directory.
func (d *disk) session(id string) (*disk, error) {
	root, _, err := rooted.Enter(d.root, id)
	if err != nil {
		return nil, err
	}
	return &disk{dir: filepath.Join(d.dir, id), root: root, step: d.step}, nil
}

func (d *disk) mkdir(rel string) error {
	if err := d.before("mkdir", rel); err != nil {
		return err
	}
	return d.root.MkdirAll(filepath.FromSlash(rel), 0o755)
}

// write replaces a file: readers and a later process see the old content or
// the new, never a part.
func (d *disk) write(rel string, data []byte) error {
	name := filepath.FromSlash(rel)
	if dir := path.Dir(rel); dir != "." {
		if _, err := d.root.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			if err := d.mkdir(dir); err != nil {
				return fmt.Errorf("write %s: %w", rel, err)
			}
		}
	}
	temp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+tempMark)
	if err := d.fill(temp, data); err != nil {
		// What is there of the new content is of no use; the old stays.
		_ = d.root.Remove(temp)
		return fmt.Errorf("write %s: %w", rel, err)
	}
	if err := d.before("rename", rel); err != nil {
		return fmt.Errorf("write %s: %w", rel, err)
	}
	if err := d.root.Rename(temp, name); err != nil {
		_ = d.root.Remove(temp)
		return fmt.Errorf("write %s: %w", rel, err)
	}
	// A kill takes nothing from the kernel, so only a power failure can: file systems
	// bring renames to the disk in their order, and from here on all before this one last.
	if rel != metaFile {
		return nil
	}
	if err := d.syncDir(filepath.Dir(name)); err != nil {
		return fmt.Errorf("write %s: %w", rel, err)
	}
	return nil
}

// fill writes a new file and brings it to the disk.
func (d *disk) fill(name string, data []byte) error {
	if err := d.before("create", name); err != nil {
		return err
	}
	f, err := rooted.Fresh(d.root, filepath.ToSlash(name))
	if err != nil {
		return err
	}
	if err := d.before("write", name); err != nil {
		// As if the process ended, or the disk got full, half way.
		_, _ = f.Write(data[:len(data)/2])
		return errors.Join(err, f.Close())
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := d.before("sync", name); err != nil {
		return errors.Join(err, f.Close())
	}
	if d.step == nil {
		if err := f.Sync(); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// syncDir makes a rename last over a power failure.
func (d *disk) syncDir(name string) error {
	if d.step != nil {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// add appends whole lines to a log. A torn line of an earlier process is ended
// first, so that it spoils nothing but itself.
func (d *disk) add(rel string, lines []byte) error {
	f, err := d.root.OpenFile(rel, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("append to %s: %w", rel, err)
	}
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if err := d.before("append", rel); err != nil {
		_, _ = f.Write(lines[:len(lines)/2])
		return errors.Join(fmt.Errorf("append to %s: %w", rel, err), f.Close())
	}
	if _, err := f.Write(lines); err != nil {
		return errors.Join(fmt.Errorf("append to %s: %w", rel, err), f.Close())
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("append to %s: %w", rel, err)
	}
	return nil
}

func (d *disk) remove(rel string) error {
	if err := d.before("remove", rel); err != nil {
		return fmt.Errorf("remove %s: %w", rel, err)
	}
	if err := d.root.Remove(filepath.FromSlash(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", rel, err)
	}
	return nil
}

// maxFile bounds what is read back: a session directory may come from a cache
// or an artifact that somebody else filled.
const maxFile = 256 << 20

// jsonBounds are what a file of JSON may consist of: a decoder may make a whole
// struct of each value.
var jsonBounds = jsonscan.Bounds{Values: 8_000_000, Depth: 64}

func (d *disk) read(rel string) ([]byte, error) {
	// We make no links; one that leads to another file of ours is not followed.
	if info, err := d.root.Lstat(filepath.FromSlash(rel)); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", rel)
	}
	f, info, err := rooted.Open(d.root, rel)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	defer func() { _ = f.Close() }() // only read
	if info.Size() > maxFile {
		return nil, fmt.Errorf("read %s: larger than %d MB", rel, maxFile>>20)
	}
	bounds := jsonBounds
	if filepath.Ext(rel) != ".json" {
		bounds = jsonscan.Bounds{}
	}
	data, err := bounds.ReadAll(f, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	return data, nil
}

// json replaces a file by a value as indented JSON.
func (d *disk) json(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return d.write(name, append(data, '\n'))
}

// unjson reads a file that json wrote.
func (d *disk) unjson(name string, value any) error {
	data, err := d.read(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// sweep removes what an ended process left unfinished.
func (d *disk) sweep() error {
	var stale []string
	err := fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Type().IsRegular() && strings.HasPrefix(entry.Name(), ".") && strings.HasSuffix(entry.Name(), tempMark) {
			stale = append(stale, name)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for unfinished files: %w", err)
	}
	for _, name := range stale {
		err = errors.Join(err, d.remove(name))
	}
	return err
}
