package project

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// pathPrefix begins the shell line that puts folders before PATH.
const pathPrefix = `export PATH="`

// Bins are the folders of programs that a script of this project may call by
// name, relative to it, nearest first.
func (p *Project) Bins() []string {
	var out []string
	for dir, up := p.Dir, ""; ; dir, up = path.Dir(dir), up+"../" {
		// Installed dependencies may be a link out of the repository.
		if _, err := os.Stat(filepath.Join(p.Abs, filepath.FromSlash(dir), "node_modules", ".bin")); err == nil {
			out = append(out, up+"node_modules/.bin")
		}
		if dir == "." {
			break
		}
	}
	if at := path.Dir(p.Interpreter().Program); at != "." {
		out = append(out, at)
	}
	return out
}

// OnPath starts argv with the project's own programs on PATH.
func (p *Project) OnPath(argv []string) []string {
	if p.Pnp() {
		return append(append(p.Yarn(), "exec"), argv...)
	}
	bins := p.Bins()
	if len(bins) == 0 {
		return argv
	}
	line := pathPrefix
	for _, b := range bins {
		line += `$PWD/` + b + `:`
	}
	return append([]string{"sh", "-c", line + `$PATH"; exec "$@"`, "sh"}, argv...)
}

// BareProgram takes back what onPath puts before a command.
func BareProgram(program []string) []string {
	if len(program) > 4 && program[0] == "sh" && strings.HasPrefix(program[2], pathPrefix) {
		return program[4:]
	}
	return program
}
