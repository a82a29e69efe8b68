//go:build !linux

package tree

import "io/fs"

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
}

// timesTell is false: whoever writes to a file can set its time back.
func timesTell(string) bool { return false }
