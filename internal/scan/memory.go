package scan

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/org/qa-action/internal/output"
	"github.com/org/qa-action/internal/scan/engine"
)

// What is remembered of files lies beside the history.
const (
	memoryFile = "scan.json"
	maxMemory  = 64 << 20 // bytes of it that are read
	keptMemory = 32 << 20 // bytes of it that are written
)

type remembered struct {
	Program string                     `json:"program"` // digest of the program that wrote it
	Found   map[string]json.RawMessage `json:"found"`
}

// Recall gives what earlier scans of the same program remember in a directory that is
// ours, see [output.Dir.Ours]; where it is damaged or of another program it begins anew.
func Recall(dir *output.Dir) *engine.Memory {
	var f remembered
	if dir == nil {
		return engine.NewMemory(nil)
	}
	raw, err := dir.Read(memoryFile, maxMemory)
	if err != nil || json.Unmarshal(raw, &f) != nil || f.Program == "" || f.Program != self() {
		return engine.NewMemory(nil)
	}
	return engine.NewMemory(f.Found)
}

// keep writes what is new atomically: a killed scan leaves the old file or the new.
func keep(dir *output.Dir, m *engine.Memory) error {
	if dir == nil || m == nil {
		return nil
	}
	found, learnt := m.Lasting(keptMemory)
	if !learnt || self() == "" {
		return nil
	}
	raw, err := json.Marshal(remembered{Program: self(), Found: found})
	if err == nil {
		err = dir.Write(memoryFile, raw)
	}
	if err != nil {
		return fmt.Errorf("remember what the scan found: %w", err)
	}
	return nil
}

// self tells this program from every other: what is inside of it decides what its engines
// say and how the words of others are read. It is the linker's own digest, where there is
// one, as to read tens of megabytes takes longer than a small scan.
var self = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // only read
	id, err := programID(f)
	if err != nil {
		return ""
	}
	return id
})

// A program for Linux has, on its first pages, a note of the size of the build ID and of
// its own name, the kind of the note and its name, and the build ID.
var (
	noteSizes = []byte("\x04\x00\x00\x00")
	noteName  = []byte("\x04\x00\x00\x00Go\x00\x00")
)

const firstPages = 64 << 10

// programID is the build ID of what a program consists of, of which the last part is a
// digest of its content, and a digest of all of it where it has none.
func programID(r io.Reader) (string, error) {
	first, err := io.ReadAll(io.LimitReader(r, firstPages))
	if err != nil {
		return "", err
	}
	if at := bytes.Index(first, noteName); at >= 8 && bytes.Equal(first[at-8:at-4], noteSizes) {
		id, size := first[at+len(noteName):], int(binary.LittleEndian.Uint32(first[at-4:at]))
		if size <= len(id) && bytes.Count(id[:size], []byte("/")) == 3 {
			return string(id[:size]), nil
		}
	}
	h := sha256.New()
	_, err = io.Copy(h, io.MultiReader(bytes.NewReader(first), r))
	return hex.EncodeToString(h.Sum(nil)), err
}
