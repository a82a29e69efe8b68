package session

import (
	"cmp"
	"strings"
	"unicode"
)

// identify makes qa-<slug>-<YYYYMMDD>[-<short head>] of a spec, in UTC.
func identify(spec Spec) string {
	slug := cmp.Or(slugOf(spec.Task), slugOf(spec.Mode))
	slug = cmp.Or(slug, "run")
	id := "qa-" + slug + "-" + spec.Now().UTC().Format("20060102")
	if head := spec.Key.Head; len(head) >= 7 && strings.Trim(head, "0123456789abcdef") == "" {
		id += "-" + head[:7]
	}
	return id
}

// slugOf keeps letters and digits, at most 40, joined by single dashes.
func slugOf(text string) string {
	const longest = 40
	var b strings.Builder
	n, dash := 0, false
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) || c == unicode.ReplacementChar {
			dash = n > 0
			continue
		}
		if dash && n < longest-1 {
			b.WriteByte('-')
			n++
		}
		dash = false
		if n == longest {
			break
		}
		b.WriteRune(unicode.ToLower(c))
		n++
	}
	return strings.TrimRight(b.String(), "-")
}

// isID reports whether a directory name can be a session's.
func isID(name string) bool {
	return strings.HasPrefix(name, "qa-") && !strings.ContainsAny(name, `/\`)
}
