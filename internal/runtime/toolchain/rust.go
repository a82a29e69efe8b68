package toolchain

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// Rustup says whether rustup may install what the toolchain file of a directory asks
// for; home is rustup's own, whose toolchains may be links to those of the machine. One
// that is there already is taken as it is: components and targets that it lacks could
// only be added to the machine's. Without such a file there is nothing to say.
func Rustup(tree fs.FS, dir string, home fs.FS) []string {
	channel, found := rustChannel(tree, dir)
	if !found {
		return nil
	}
	there, err := fs.ReadDir(home, "toolchains")
	if err == nil && slices.ContainsFunc(there, func(e fs.DirEntry) bool {
		rest, ok := strings.CutPrefix(e.Name(), channel)
		host := strings.TrimPrefix(rest, "-")
		return ok && (rest == "" || channel == "" || len(host) > 0 && host != rest && unicode.IsLetter(rune(host[0])))
	}) {
		return []string{"RUSTUP_AUTO_INSTALL=0"}
	}
	return []string{"RUSTUP_AUTO_INSTALL=1"}
}

// rustChannel is what the nearest toolchain file names, "" for the default one.
func rustChannel(tree fs.FS, dir string) (channel string, found bool) {
	for at := path.Clean(dir); ; at = path.Dir(at) {
		for _, name := range []string{"rust-toolchain.toml", "rust-toolchain"} {
			data, err := fs.ReadFile(tree, path.Join(at, name))
			if err != nil {
				continue
			}
			var f struct {
				Toolchain struct{ Channel string }
			}
			if toml.Unmarshal(data, &f) != nil { // of one line, as they once were
				return strings.TrimSpace(string(data)), true
			}
			return f.Toolchain.Channel, true
		}
		if at == "." || at == "/" {
			return "", false
		}
	}
}
