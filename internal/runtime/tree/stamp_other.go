//go:build !linux

package tree

import "io/fs"

// stampsTell is false: whoever writes to a file can set its time back.
const stampsTell = false

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
}
