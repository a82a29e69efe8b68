package change

import "io"

// mapDiff makes a mapping of a unified diff.
func mapDiff(r io.Reader) (Mapping, error) {
	entries, err := readDiff(r)
	if err != nil {
		return Mapping{}, err
	}
	return newMapping(entries), nil
}

// toBase follows a line of head to base, by the same hunks read the other way round; ok
// is false when the line is new.
func toBase(m Mapping, path string, line int) (basePath string, baseLine int, ok bool) {
	l, known := m.byHead[path]
	if !known {
		if m.byBase[path] != nil {
			return "", 0, false // head has no such file
		}
		return path, line, true
	}
	if l.basePath == "" || l.opaque {
		return "", 0, false
	}
	n, ok := shift(flip(l.hunks), line)
	return l.basePath, n, ok
}

// flip swaps the sides.
func flip(hunks []hunk) []hunk {
	out := make([]hunk, len(hunks))
	for i, h := range hunks {
		out[i] = hunk{old: h.new, oldN: h.newN, new: h.old, newN: h.oldN}
	}
	return out
}
