package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/org/qa-action/internal/output"
)

// Store keeps one document. A version names one content of it, "" none at all.
type Store interface {
	// Load returns the document, nil when there is none yet.
	Load(ctx context.Context) (data []byte, version string, err error)
	// Save replaces the version that was loaded; when another one was saved
	// meanwhile it does nothing and returns an error that is [ErrConflict].
	Save(ctx context.Context, data []byte, version string) error
}

// ErrConflict says that somebody else saved in between.
var ErrConflict = errors.New("the history was changed by another run")

// Read loads the book of a store; a nil store has none.
func Read(ctx context.Context, s Store) (Book, error) {
	if s == nil {
		return New(), nil
	}
	data, _, err := s.Load(ctx)
	if err != nil {
		return Book{}, fmt.Errorf("read history: %w", err)
	}
	return decode(data)
}

// Add records a run in a store and returns the book with it. When another run
// saved in between, the run is recorded on top of that, so no one's is lost.
func Add(ctx context.Context, s Store, r Run) (Book, error) {
	if s == nil {
		b := New()
		b.Record(r)
		return b, nil
	}
	const tries = 20
	var err error
	for n := range tries {
		var b Book
		if b, err = addOnce(ctx, s, r); err == nil {
			return b, nil
		}
		if !errors.Is(err, ErrConflict) {
			return Book{}, err
		}
		select {
		case <-ctx.Done():
			return Book{}, fmt.Errorf("record run in history: %w", context.Cause(ctx))
		case <-time.After(time.Duration(n+1) * 5 * time.Millisecond):
		}
	}
	return Book{}, fmt.Errorf("record run in history, tried %d times: %w", tries, err)
}

func addOnce(ctx context.Context, s Store, r Run) (Book, error) {
	data, version, err := s.Load(ctx)
	if err != nil {
		return Book{}, fmt.Errorf("read history: %w", err)
	}
	b, err := decode(data)
	if err != nil {
		return Book{}, err
	}
	b.Record(r)
	updated, err := b.Encode()
	if err != nil {
		return Book{}, err
	}
	if err := s.Save(ctx, updated, version); err != nil {
		return Book{}, fmt.Errorf("save history: %w", err)
	}
	return b, nil
}

// dir keeps the document in a directory.
type dir struct{ out *output.Dir }

// Dir keeps the history in a directory, which is made when missing, for instance
// one that a cache step restores and saves.
func Dir(out *output.Dir) Store { return dir{out} }

// File is the document's name in its directory.
const File = "history.json"

const lockFile = "history.lock"

func (d dir) Load(context.Context) ([]byte, string, error) {
	data, err := d.out.Read(File, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	return data, digest(data), nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Save compares and replaces under a lock, by renaming a complete file: a
// reader never needs the lock.
func (d dir) Save(ctx context.Context, data []byte, version string) error {
	root, err := d.out.Root()
	if err != nil {
		return err
	}
	held, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = held.Close() }() // which also gives it free
	if err := lock(held); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	_, current, err := d.Load(ctx)
	if err != nil {
		return err
	}
	if current != version {
		return ErrConflict
	}
	return d.out.Write(File, data)
}
