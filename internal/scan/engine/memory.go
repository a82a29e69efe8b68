package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/rooted"
)

// Memory is what was found out about files, under a digest of all that it follows
// from. A nil one has nothing and takes nothing.
type Memory struct {
	mu sync.Mutex
	// lasting is what may outlive the process, said what programs said in this one:
	// see [Memory.Believe].
	lasting, said map[string]json.RawMessage
	used          map[string]bool
	learnt        bool              // something that lasts was new
	versions      map[string]string // of programs, asked once
}

// NewMemory begins with what was remembered before.
func NewMemory(known map[string]json.RawMessage) *Memory {
	if known == nil {
		known = map[string]json.RawMessage{}
	}
	return &Memory{lasting: known, said: map[string]json.RawMessage{}, used: map[string]bool{}, versions: map[string]string{}}
}

// MaxHits is what is kept of one engine: a linter that reports more than this
// on one change is misconfigured, and its first findings say so.
const MaxHits = 5000

// maxEntry bounds what is remembered of one file.
const maxEntry = 256 << 10

// recall gives what is remembered under a key; ok is false where nothing is, or
// nothing that can be read.
func (m *Memory) recall(key string, into any) (ok bool) {
	if m == nil || key == "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.lasting[key]
	if !ok {
		data, ok = m.said[key]
	}
	if ok = ok && json.Unmarshal(data, into) == nil; ok {
		m.used[key] = true
	}
	return ok
}

// version is that of a program, which is asked once.
func (m *Memory) version(program string, ask func() string) string {
	if m == nil {
		return ask()
	}
	m.mu.Lock()
	said, asked := m.versions[program]
	m.mu.Unlock()
	if !asked {
		said = ask()
		m.mu.Lock()
		m.versions[program] = said
		m.mu.Unlock()
	}
	return said
}

// keep remembers what follows from the key; where a program said it, only for this
// process.
func (m *Memory) keep(key string, value any, program bool) {
	if m == nil || key == "" {
		return
	}
	data, err := json.Marshal(value)
	if err != nil || len(data) > maxEntry {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[key] = true
	if program {
		m.said[key] = data
	} else {
		m.lasting[key], m.learnt = data, true
	}
}

// Believe has what programs said last as well: nothing of the repository ran beside
// them, which could have given them other files to read than we looked at.
func (m *Memory) Believe() {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.learnt = m.learnt || len(m.said) > 0
		maps.Copy(m.lasting, m.said)
		clear(m.said)
	}
}

// Lasting is what may be kept, at most so many bytes of it, what was used before the
// rest; learnt says that some of it is new.
func (m *Memory) Lasting(most int) (kept map[string]json.RawMessage, learnt bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]json.RawMessage{}
	for _, wanted := range []bool{true, false} {
		for _, key := range slices.Sorted(maps.Keys(m.lasting)) {
			if size := len(key) + len(m.lasting[key]) + 8; m.used[key] == wanted && size <= most {
				out[key] = m.lasting[key]
				most -= size
			}
		}
	}
	return out, m.learnt
}

// digest names all that it is given.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}

// Look runs the engine over those of the pass's files of which nothing is remembered.
func (e Engine) Look(ctx context.Context, p *Pass) ([]Hit, error) {
	how, ok := e.terms(ctx, p)
	if !ok {
		return e.Run(ctx, p)
	}
	found := map[string][]Hit{}
	whole, unknown := p.Files, []*File(nil)
	for _, f := range whole {
		var hits []Hit
		if p.Subject.Memory.recall(f.key(e.Name, how), &hits) {
			found[f.Path] = hits
		} else {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) > 0 {
		p.whole, p.Files = whole, unknown
		hits, err := e.Run(ctx, p)
		p.whole, p.Files = nil, whole
		if err != nil || !p.sort(hits, unknown, found) {
			return p.everything(ctx, e, hits, err, len(unknown) == len(whole))
		}
		stands, done := p.standing()
		defer done()
		for _, f := range unknown {
			if e.Tool == "" || stands(f) {
				p.Subject.Memory.keep(f.key(e.Name, how), found[f.Path], e.Tool != "")
			}
		}
	}
	var out []Hit
	for _, f := range whole {
		out = append(out, found[f.Path]...)
	}
	if len(out) > MaxHits { // which are kept is for the program to say
		return e.Run(ctx, p)
	}
	return out, nil
}

// everything is what the engine says without a memory; hits and err are what it said of
// the unknown files, which may be all of them.
func (p *Pass) everything(ctx context.Context, e Engine, hits []Hit, err error, all bool) ([]Hit, error) {
	if all || ctx.Err() != nil {
		return hits, err
	}
	return e.Run(ctx, p)
}

// terms is all that the engine's findings in a file follow from beside the file; ok is
// false where they follow from more than can be named.
func (e Engine) terms(ctx context.Context, p *Pass) (how string, ok bool) {
	if e.Alone == nil || p.Subject.Memory == nil {
		return "", false
	}
	if how, ok = e.Alone(p); !ok || e.Tool == "" {
		return how, ok
	}
	program, err := p.Tool(e.Tool)
	if err != nil || !p.ours(program) {
		return "", false
	}
	st, err := os.Stat(program)
	version := p.Version(ctx, e)
	if err != nil || version == "" {
		return "", false
	}
	return digest(how, program, version, fmt.Sprint(st.Size(), st.ModTime().UnixNano()), strings.Join(p.Hands.Env, "\x00")), true
}

// ours reports whether a program is the one of this machine's PATH, and lies where no
// change can put one.
func (p *Pass) ours(program string) bool {
	if found, err := process.LookPath(filepath.Base(program)); err != nil || found != program {
		return false
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc([]string{p.Subject.AbsRoot, p.Subject.ExecRoot}, func(root string) bool {
		_, inside := rooted.Within(root, program)
		settled, err := filepath.EvalSymlinks(root)
		_, within := rooted.Within(settled, real)
		return inside || within || err != nil
	})
}

// key is where the memory has what an engine found in the file; empty is nowhere.
func (f *File) key(engine, how string) string {
	if f.name() == "" {
		return ""
	}
	return digest(engine, how, f.name())
}

// sort puts hits to the files that they are in; false says that one is in none of them.
func (p *Pass) sort(hits []Hit, files []*File, into map[string][]Hit) bool {
	known := map[string]bool{}
	for _, f := range files {
		known[f.Path] = true
	}
	for _, h := range hits {
		at, ok := Relative(p.AbsRoot, h.Path)
		if !ok || !known[at] || len(h.Secrets) > 0 {
			return false
		}
		h.Path = at
		into[at] = append(into[at], h)
	}
	return true
}

// standing says of files whether they lie where programs see them as they were looked at.
func (p *Pass) standing() (stands func(*File) bool, done func()) {
	root, err := os.OpenRoot(p.AbsRoot)
	if err != nil {
		return func(*File) bool { return false }, func() {}
	}
	reader := rooted.NewReader(root)
	stands = func(f *File) bool {
		src, err := reader.Read(f.Path, MaxFile)
		return err == nil && bytes.Equal(src, f.Source)
	}
	return stands, func() {
		reader.Close()
		_ = root.Close() // only read
	}
}
