package change

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// hunk is one "@@ -old,oldN +new,newN @@" of a diff without context lines:
// everything inside is removed from or added to.
type hunk struct {
	old, oldN int
	new, newN int
}

// entry is one record of "git diff --raw -z" with its hunks.
type entry struct {
	oldMode, newMode string
	oldID, newID     string // blobs; newID need not be stored when a working tree is compared
	status           byte   // A M D R C T U
	path, oldPath    string
	hunks            []hunk
	binary           bool
}

const (
	modeSubmodule = "160000"
	modeSymlink   = "120000"
)

func (e entry) submodule() bool { return e.oldMode == modeSubmodule || e.newMode == modeSubmodule }

// parseRaw reads the records of "git diff --raw -z [-p]" and returns what
// follows them (the patch). Its format: gitformat-diff, "RAW OUTPUT FORMAT".
func parseRaw(out []byte) (entries []entry, patch []byte, err error) {
	for len(out) > 0 && out[0] == ':' {
		meta, rest, ok := bytes.Cut(out, []byte{0})
		fields := strings.Fields(string(meta))
		if !ok || len(fields) != 5 || fields[4] == "" {
			return nil, nil, fmt.Errorf("read git diff: malformed record %.80q", meta)
		}
		e := entry{oldMode: fields[0][1:], newMode: fields[1], oldID: fields[2], newID: fields[3], status: fields[4][0]}
		name, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			return nil, nil, fmt.Errorf("read git diff: record %.80q has no path", meta)
		}
		e.path = string(name)
		if e.status == 'R' || e.status == 'C' {
			e.oldPath = e.path
			if name, rest, ok = bytes.Cut(rest, []byte{0}); !ok {
				return nil, nil, fmt.Errorf("read git diff: record %.80q has no new path", meta)
			}
			e.path = string(name)
		}
		entries, out = append(entries, e), rest
	}
	return entries, bytes.TrimPrefix(out, []byte{0}), nil
}

// attach gives each entry the hunks of its part of the patch. git prints the
// parts in the order of the raw records; a type change has two parts.
func attach(entries []entry, patch []byte) error {
	s := scanner{data: patch}
	for i := range entries {
		e := &entries[i]
		parts := 1
		if e.status == 'T' {
			parts = 2
		}
		for range parts {
			if !s.next() {
				return fmt.Errorf("read git diff: the patch has no part for %q", e.path)
			}
			if err := s.body(e); err != nil {
				return fmt.Errorf("read git diff of %q: %w", e.path, err)
			}
		}
	}
	if s.next() {
		return fmt.Errorf("read git diff: the patch has more parts than the %d files listed", len(entries))
	}
	return nil
}

// scanner walks over a patch that git printed with -U0. Content lines are
// skipped by the counts of their hunk header, so content that looks like a
// header is never taken for one.
type scanner struct{ data []byte }

func (s *scanner) line() []byte {
	line, rest, _ := bytes.Cut(s.data, []byte{'\n'})
	s.data = rest
	return line
}

var diffHeader = []byte("diff --git ")

// next moves past the next "diff --git" line.
func (s *scanner) next() bool {
	for len(s.data) > 0 {
		if bytes.HasPrefix(s.line(), diffHeader) {
			return true
		}
	}
	return false
}

// body reads one file's part up to the next "diff --git" line.
func (s *scanner) body(e *entry) error {
	for len(s.data) > 0 && !bytes.HasPrefix(s.data, diffHeader) {
		line := s.line()
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			h, err := parseHunk(string(line))
			if err != nil {
				return err
			}
			if err := s.skip(h.oldN + h.newN); err != nil {
				return err
			}
			e.hunks = append(e.hunks, h)
		case bytes.HasPrefix(line, []byte("Binary files ")), bytes.Equal(line, []byte("GIT binary patch")):
			e.binary = true
		}
	}
	return nil
}

func (s *scanner) skip(lines int) error {
	for lines > 0 {
		if len(s.data) == 0 {
			return fmt.Errorf("the patch ends inside a hunk, %d lines are missing", lines)
		}
		switch line := s.line(); {
		case len(line) > 0 && (line[0] == '+' || line[0] == '-'):
			lines--
		case len(line) > 0 && line[0] == '\\': // "\ No newline at end of file"
		default:
			return fmt.Errorf("unexpected line %.40q inside a hunk", line)
		}
	}
	return nil
}

func parseHunk(line string) (hunk, error) {
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 4 || !strings.HasPrefix(fields[3], "@@") {
		return hunk{}, fmt.Errorf("malformed hunk header %.80q", line)
	}
	var h hunk
	var errOld, errNew error
	h.old, h.oldN, errOld = parseSpan(fields[1], '-')
	h.new, h.newN, errNew = parseSpan(fields[2], '+')
	if errOld != nil || errNew != nil {
		return hunk{}, fmt.Errorf("malformed hunk header %.80q", line)
	}
	return h, nil
}

func parseSpan(s string, sign byte) (start, count int, err error) {
	if s == "" || s[0] != sign {
		return 0, 0, strconv.ErrSyntax
	}
	first, second, ok := strings.Cut(s[1:], ",")
	count = 1
	if ok {
		if count, err = parseNumber(second); err != nil {
			return 0, 0, err
		}
	}
	start, err = parseNumber(first)
	return start, count, err
}

func parseNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err
}
