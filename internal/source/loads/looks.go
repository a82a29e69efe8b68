package loads

import "github.com/org/qa-action/internal/pattern"

// Code tells by these words that it looks at sizes of files or asks git, which opens no
// file of the working tree: neither shows in times of access.
var (
	sizes = pattern.New(`\bst_size\b|\bgetsize\b|\.Size\(\)|\bmetadata\(|\bFiles\.size\(|\.tell\(\)|\bSEEK_END\b|\bSeekEnd\b|["'\x60](?:git|du|wc)["'\x60 ]`)
	stats = pattern.New(`\b[lf]?stat(?:Sync)?\(|\bnew File\(`)
	sized = pattern.New(`\bsize\b|\.length\(\)`)
)

// Looks reports whether code may see a change of a file that it does not open.
func Looks(text []byte) bool {
	return sizes.Match(text) || stats.Match(text) && sized.Match(text)
}
