package quality

import "strings"

// IsolationGaps says in one line which layers of the sandbox around the tests were not in force; none
// when all were. A level is "layer: what it does", "layer: off: why" or "layer:
// unsupported on …".
func IsolationGaps(levels []string) []string {
	var off []string
	for _, level := range levels {
		layer, what, _ := strings.Cut(level, ": ")
		if strings.HasPrefix(what, "off: ") || strings.HasPrefix(what, "unsupported ") {
			off = append(off, layer)
		}
	}
	if len(off) == 0 {
		return nil
	}
	return []string{"isolation was not full: no " + strings.Join(off, ", no ")}
}
