package scan

import (
	"crypto/sha256"
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

// self is a digest of this program: what is inside of it decides what its engines say
// and how the words of others are read.
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
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})
