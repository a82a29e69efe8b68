//go:build !linux

package rooted

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// entries reads a folder, with the kind of each entry.
func (r *Reader) entries(folder *os.File, use func(name []byte, kind fs.FileMode, known bool)) error {
	for {
		some, err := folder.ReadDir(1000)
		for _, e := range some {
			use([]byte(e.Name()), e.Type(), true)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
