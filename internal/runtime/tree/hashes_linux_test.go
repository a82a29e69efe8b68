package tree

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestDigestReadsWhatWasTouched counts the files that digests of one tree read.
func TestDigestReadsWhatWasTouched(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 20 {
		write(fmt.Sprintf("f%02d", n), "one")
	}
	h := hashes{now: func() time.Time { return time.Now().Add(time.Minute) }}
	var last Digest
	step := func(what string, read int, changed ...string) {
		t.Helper()
		before := h.read
		now, err := h.digest(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if whole, err := DigestOf(t.Context(), dir, nil); err != nil || len(now.Changed(whole)) > 0 {
			t.Errorf("%s: differs from a digest that reads everything in %q, %v", what, now.Changed(whole), err)
		}
		if got := h.read - before; got != read {
			t.Errorf("%s: %d files were read, want %d", what, got, read)
		}
		if got := last.Changed(now); last != nil && !slices.Equal(got, changed) {
			t.Errorf("%s: changed %q, want %q", what, got, changed)
		}
		last = now
	}
	step("the first", 20)
	step("nothing was touched", 0)
	file := filepath.Join(dir, "f07")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	tick() // of the file system's clock
	write("f07", "two")
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	step("written to, with its size and time as before", 1, "f07")
	tick()
	if err := os.Rename(filepath.Join(dir, "f08"), filepath.Join(dir, "f09")); err != nil {
		t.Fatal(err)
	}
	step("put in the place of another", 1, "f08")
	if len(h.known) != 19 {
		t.Errorf("%d files are remembered, of 19", len(h.known))
	}
	if err := os.Chmod(file, 0o755); err != nil {
		t.Fatal(err)
	}
	step("made a program", 1, "f07")
	write("new", "one")
	step("made", 1, "new")
	h.now = nil
	write("new", "two")
	step("written to just now", 1, "new")
	step("written to just now, and not since", 1)
}

func tick() { time.Sleep(20 * time.Millisecond) }

// BenchmarkDigest is the digest of 5,000 files of 16 KiB, read anew and asked for again.
func BenchmarkDigest(b *testing.B) {
	dir := b.TempDir()
	for n := range 5000 {
		text := bytes.Repeat([]byte{byte(n)}, 16<<10)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for name, now := range map[string]func() time.Time{
		"anew":  func() time.Time { return time.Time{} },
		"again": func() time.Time { return time.Now().Add(time.Minute) },
	} {
		b.Run(name, func(b *testing.B) {
			h := hashes{now: now}
			for range b.N {
				if _, err := h.digest(b.Context(), dir, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
