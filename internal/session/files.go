package session

import (
	"fmt"
	"path/filepath"

	"github.com/org/qa-action/internal/rooted"
)

// Files are the files of a session; those that the session keeps itself cannot
// be written here.
type Files struct{ disk *disk }

// Dir is the session's directory, absolute.
func (f Files) Dir() string { return f.disk.dir }

// Place is a directory in the session for files that others write there.
func (f Files) Place(elem ...string) rooted.Place {
	return rooted.In(f.disk.root, f.disk.dir, elem...)
}

// WriteFile replaces a file of the session atomically; rel is slash-separated
// and stays inside the session. Missing folders are made.
func (f Files) WriteFile(rel string, data []byte) error {
	if reserved(rel) {
		return fmt.Errorf("write %s: the file belongs to the session itself", rel)
	}
	return f.disk.write(rel, data)
}

// WriteJSON writes a file of the session as indented JSON.
func (f Files) WriteJSON(rel string, value any) error {
	if reserved(rel) {
		return fmt.Errorf("write %s: the file belongs to the session itself", rel)
	}
	return f.disk.json(rel, value)
}

// ReadFile reads a file of the session.
func (f Files) ReadFile(rel string) ([]byte, error) { return f.disk.read(rel) }

// Discard removes a file that [Files.WriteFile] wrote.
func (f Files) Discard(rel string) error {
	if reserved(rel) {
		return fmt.Errorf("remove %s: the file belongs to the session itself", rel)
	}
	return f.disk.remove(rel)
}

// reserved files have their own methods that keep them consistent.
func reserved(rel string) bool {
	switch filepath.ToSlash(filepath.Clean(rel)) {
	case metaFile, tasksFile, boardFile, messagesFile, memoryFile, roundsFile, lockFile:
		return true
	}
	return false
}
