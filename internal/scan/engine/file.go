package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/rooted"
	"github.com/org/qa-action/internal/scan/credential"
)

// MaxFile is the size above which a file is not source that a person wrote.
const MaxFile = 2 << 20

// File is a changed file with its content.
type File struct {
	qa.FileChange
	Source []byte // UTF-8, line ends as in the file

	encoded     bool          // Source is not byte for byte what lies there
	name        func() string // digest of all that is known of it, empty where that cannot be remembered
	starts      []int         // offset of each line
	outline     func() (qa.Outline, error)
	credentials func() ([]credential.Credential, error) // what must not be shown of it
}

// Lines is the number of lines.
func (f *File) Lines() int { return len(f.starts) }

// Line is line n, 1-based, without its end; empty when there is no such line.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.starts) {
		return ""
	}
	end := len(f.Source)
	if n < len(f.starts) {
		end = f.starts[n]
	}
	return strings.TrimRight(string(f.Source[f.starts[n-1]:end]), "\r\n")
}

// Text is the lines of r, at most limit of them.
func (f *File) Text(r qa.Range, limit int) string {
	var lines []string
	for n := r.Start; n <= r.End && len(lines) < limit; n++ {
		lines = append(lines, f.Line(n))
	}
	return strings.Join(lines, "\n")
}

// At is the line that holds the byte offset.
func (f *File) At(offset int) int {
	return max(1, sort.Search(len(f.starts), func(i int) bool { return f.starts[i] > offset }))
}

// Outline gives the file's functions; ok is false when they are not known.
func (f *File) Outline() (qa.Outline, bool) {
	if f.outline == nil {
		return qa.Outline{}, false
	}
	o, err := f.outline()
	return o, err == nil
}

func NewFile(change qa.FileChange, src []byte, outline func(string, []byte) (qa.Outline, error)) *File {
	f := &File{FileChange: change, Source: src}
	f.credentials = sync.OnceValues(func() ([]credential.Credential, error) { return detectIn(f) })
	f.name = sync.OnceValue(func() string {
		if f.encoded || !utf8.Valid(src) {
			return ""
		}
		return digest(change.Path, change.Language, string(change.Kind), string(src))
	})
	if len(src) > 0 {
		f.starts = append(f.starts, 0)
	}
	for i := 0; i < len(src)-1; i++ {
		if src[i] == '\n' {
			f.starts = append(f.starts, i+1)
		}
	}
	if outline != nil {
		f.outline = sync.OnceValues(func() (_ qa.Outline, err error) {
			defer func() { // asked for on goroutines of its own, where nobody else would catch it
				if r := recover(); r != nil {
					err = fmt.Errorf("outline of %s: crashed: %v", change.Path, r)
				}
			}()
			return outline(change.Path, src)
		})
	}
	return f
}

// File is a changed file with a content of it, about which the memory is asked first.
func (s Subject) File(change qa.FileChange, src []byte) *File {
	f := NewFile(change, src, s.Outline)
	if s.Memory == nil {
		return f
	}
	if read := f.outline; read != nil {
		f.outline = sync.OnceValues(func() (o qa.Outline, err error) {
			key := f.key("outline", "")
			if s.Memory.recall(key, &o) {
				return o, nil
			}
			if o, err = read(); err == nil {
				s.Memory.keep(key, o, false)
			}
			return o, err
		})
	}
	detect := f.credentials
	f.credentials = sync.OnceValues(func() ([]credential.Credential, error) {
		key, clean := f.key("credentials", ""), false
		if s.Memory.recall(key, &clean) && clean {
			return nil, nil
		}
		found, err := detect()
		if err == nil && len(found) == 0 { // what was found is written nowhere
			s.Memory.keep(key, true, false)
		}
		return found, err
	})
	return f
}

// Each calls do for the files side by side, as many at once as there are
// processors, until ctx ends.
func Each(ctx context.Context, files []*File, do func(*File)) {
	work := make(chan *File)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f := range work {
				do(f)
			}
		})
	}
	defer wg.Wait()
	defer close(work)
	for _, f := range files {
		select {
		case work <- f:
		case <-ctx.Done():
			return
		}
	}
}

// Tree is the checkout: it never reads outside of it, whatever links it holds.
type Tree struct {
	Root    *os.Root
	Files   []*File
	ByPath  map[string]*File
	Gone    map[string]*File // deleted by the change, without content
	Skipped map[string]string
	foreign atomic.Bool
	mu      sync.Mutex
	binDirs map[string][]string // by the folder that they are installed for
}

// Foreign reports whether a program of the repository ran, or one that does what the
// repository says.
func (t *Tree) Foreign() bool { return t.foreign.Load() }

// Load reads the changed files that an engine may look at.
func Load(of Subject) (*Tree, error) {
	root, err := os.OpenRoot(of.AbsRoot)
	if err != nil {
		return nil, fmt.Errorf("scan: open the working copy: %w", err)
	}
	for _, glob := range of.Exclude {
		if !doublestar.ValidatePattern(glob) {
			return nil, fmt.Errorf("scan: exclude %q: not a valid glob", glob)
		}
	}
	t := &Tree{Root: root, ByPath: map[string]*File{}, Gone: map[string]*File{}, Skipped: map[string]string{}}
	reader := rooted.NewReader(root)
	defer reader.Close()
	for _, change := range of.Change.Files {
		if change.Status == qa.Deleted {
			if why := of.excluded(change); why == "" {
				t.Gone[change.Path] = NewFile(change, nil, nil)
			}
			continue
		}
		src, encoded, reason := read(reader, of, change)
		if reason != "" {
			t.Skipped[change.Path] = reason
			continue
		}
		f := of.File(change, src)
		f.encoded = encoded
		t.Files = append(t.Files, f)
		t.ByPath[change.Path] = f
	}
	return t, nil
}

// read gives a file's text, or the reason why it is not looked at; encoded says that
// it lies there in other bytes.
func read(from *rooted.Reader, of Subject, change qa.FileChange) (src []byte, encoded bool, reason string) {
	if reason = of.excluded(change); reason != "" {
		return nil, false, reason
	}
	raw := []byte(of.Written[change.Path])
	if _, own := of.Written[change.Path]; !own {
		if raw, reason = rawFile(from, change.Path); reason != "" {
			return nil, false, reason
		}
	}
	src = Decode(raw)
	if bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return nil, false, "binary"
	}
	return src, len(src) != len(raw), ""
}

// rawFile gives a file as it lies there, or the reason why it cannot be looked at.
func rawFile(from *rooted.Reader, path string) (raw []byte, reason string) {
	st, err := from.Lstat(path)
	switch {
	case err != nil:
		return nil, "cannot be read: " + cause(err)
	case st.Mode()&fs.ModeSymlink != 0:
		return nil, "symbolic link"
	case !st.Mode().IsRegular():
		return nil, "not a regular file"
	case st.Size() > MaxFile:
		return nil, fmt.Sprintf("larger than %d MiB", MaxFile>>20)
	}
	if raw, err = from.Read(path, MaxFile); err != nil {
		return nil, "cannot be read: " + cause(err)
	}
	return raw, ""
}

// excluded says why nobody looks at a file whatever it holds.
func (s Subject) excluded(change qa.FileChange) string {
	switch {
	case !s.Covers(change.Path):
		return Outside
	case change.Submodule:
		return "submodule"
	case change.Generated:
		return "generated, vendored or minified"
	case change.Binary:
		return "binary"
	}
	for _, glob := range s.Exclude {
		if match, _ := doublestar.Match(glob, change.Path); match {
			return "excluded by " + glob
		}
	}
	return ""
}

// Exists reports whether a regular file of that path is in the tree.
func (t *Tree) Exists(path string) bool {
	st, err := t.Root.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// Content reads a small file of the tree, nil when there is none.
func (t *Tree) Content(path string) []byte {
	file, _, err := rooted.Open(t.Root, path)
	if err != nil {
		return nil
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, MaxFile))
	if err != nil {
		return nil
	}
	return src
}

// Of selects the files of the languages; nil selects all.
func (t *Tree) Of(languages []string) []*File {
	if languages == nil {
		return t.Files
	}
	return each.Where(t.Files, func(f *File) bool { return slices.Contains(languages, f.Language) })
}

// Decode turns UTF-16 with a byte order mark into UTF-8 and drops UTF-8's mark.
func Decode(raw []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		return raw[3:]
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	default:
		return raw
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, order.Uint16(raw[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// cause is an error without the path, which the caller names already.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
