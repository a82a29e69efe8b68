//go:build !linux

package tree

import "io/fs"

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
}
