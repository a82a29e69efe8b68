package scaffold

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// mostCompared bounds the lines that are compared one by one.
const mostCompared = 2000

// difference is the way from old to text in the form of a patch, whole files long;
// an old one that is far longer than what we write is only named.
func difference(name, old, text string) string {
	a, b := lines(old), lines(text)
	from := "a/" + name
	if old == "" {
		from = "/dev/null"
	}
	head := fmt.Sprintf("--- %s\n+++ b/%s\n", from, name)
	if len(a) > mostCompared {
		return head + fmt.Sprintf("has %d lines, which are not compared\n", len(a))
	}
	// common[i][j] is the length of what a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	out.WriteString(head)
	put := func(mark, line string) { out.WriteString(mark + wording.Plain(line) + "\n") }
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			put(" ", a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			put("-", a[i])
			i++
		default:
			put("+", b[j])
			j++
		}
	}
	return out.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
