//go:build !linux

package runtime

import "io/fs"

func stampOf(info fs.FileInfo) stamp {
	return stamp{size: info.Size(), mode: info.Mode(), changed: info.ModTime(), modified: info.ModTime()}
}
