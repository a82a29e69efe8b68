package measured

import (
	"bytes"

	"github.com/org/qa-action/internal/xmlscan"
)

// MaxFileName bounds a file name in a report.
const MaxFileName = 4096

// RootElement gives the name of an XML document's root and the names of its
// attributes and of the first element inside, "root>child".
func RootElement(head []byte) (root string, has func(attrOrChild string) bool) {
	s := xmlscan.New(bytes.NewReader(head), xmlscan.Limits{})
	seen := map[string]bool{}
	for s.Next() && len(seen) < 64 {
		if s.Kind() != xmlscan.Start {
			continue
		}
		if root == "" {
			root = string(s.Name())
			for _, name := range []string{"line-rate", "lines-valid", "branch-rate", "generated", "clover"} {
				if _, ok := s.Attr(name); ok {
					seen[name] = true
				}
			}
		} else if seen[">"+string(s.Name())] = true; s.Depth() > 2 {
			break
		}
	}
	return root, func(name string) bool { return seen[name] }
}

// JsonKeys reports whether head is a JSON object in whose start all keys occur.
func JsonKeys(head []byte, keys ...string) bool {
	if trimmed := bytes.TrimSpace(head); len(trimmed) == 0 || trimmed[0] != '{' {
		return false
	}
	for _, key := range keys {
		if !bytes.Contains(head, []byte(`"`+key+`"`)) {
			return false
		}
	}
	return true
}
