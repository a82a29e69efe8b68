package ci

import (
	"path"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/shell"
)

// A stepReader reads the commands of one step.
type stepReader struct {
	*jobReader
	env     []Variable
	dir     string
	certain bool
	line    int  // of its first line
	folded  bool // lines of the file are none of the script
}

// read takes a script apart. Where only a shell can, its lines are looked at one by
// one, and none of them is certain that may stand in a condition or a loop.
func (s *stepReader) read(script string) {
	if len(script) > maxScript {
		return
	}
	if commands, err := shell.Parse(script); err == nil {
		s.commands(commands, script, s.line)
		return
	}
	certain, blocks, line := s.certain, newBlocks(script), s.line
	for text := range strings.Lines(script) {
		text = strings.TrimSpace(text)
		commands, err := shell.Parse(text)
		s.certain = certain && blocks.outside(text, err == nil)
		if outside := s.certain; err == nil {
			s.commands(commands, text, line)
			certain = certain && (!outside || s.certain) // where it goes on may not be known
		}
		line++
	}
}

func (s *stepReader) commands(commands []shell.Simple, script string, line int) {
	for _, c := range commands {
		if len(c.Group) > 0 {
			inner := *s
			inner.commands(c.Group, script, line)
			continue
		}
		at := line
		if !s.folded {
			at += strings.Count(script[:min(c.From, len(script))], "\n")
		}
		s.command(c, script, at)
	}
}

func (s *stepReader) command(c shell.Simple, script string, line int) {
	certain := s.certain && c.Plain && !c.Piped && !c.Background && c.Joint != "||"
	vars := map[string]string{}
	for _, v := range slices.Concat(s.job.Env, s.env) {
		vars[v.Name] = v.Value
	}
	var argv []string
	for _, w := range c.Words {
		words, ok := w.Expand(vars)
		if !ok || w.Glob && !strings.HasPrefix(w.Text, "-") { // no file is called as an option
			certain = false
			words = []shell.Word{w}
		}
		argv = append(argv, shell.Texts(words)...)
	}
	env := s.env
	if len(argv) > 0 && argv[0] == "env" {
		argv = argv[1:]
	}
	for len(argv) > 0 && shell.Assignment.MatchString(argv[0]) {
		name, value, _ := strings.Cut(argv[0], "=")
		env = append(slices.Clone(env), Variable{name, value, s.source(line)})
		argv = argv[1:]
	}
	if len(argv) == 0 {
		s.env = env // a variable of the script's own
		return
	}
	switch {
	case argv[0] == "cd" && len(argv) == 2:
		s.dir = path.Join(s.dir, argv[1])
		s.certain = certain && !strings.HasPrefix(argv[1], "/") && !strings.HasPrefix(s.dir, "..")
		return
	case argv[0] == "export":
		for _, word := range argv[1:] {
			if name, value, ok := strings.Cut(word, "="); ok {
				s.env = append(slices.Clone(s.env), Variable{name, value, s.source(line)})
			}
		}
		return
	case argv[0] == "echo" && len(argv) == 2 && strings.Contains(script[c.From:min(c.To, len(script))], "GITHUB_ENV"):
		if name, value, ok := strings.Cut(argv[1], "="); ok && shell.Assignment.MatchString(argv[1]) && s.certain && !strings.Contains(value, unknown) {
			s.later = append(s.later, Variable{name, value, s.source(line)})
		}
		return
	}
	if strings.Contains(strings.Join(argv, " "), unknown) || strings.HasPrefix(s.dir, "..") || path.IsAbs(s.dir) {
		certain = false
	}
	kind := kindOf(argv)
	if c.Piped && kind == Other {
		kind = Outward // what it hands on to another program is not known
	}
	s.job.Commands = append(s.job.Commands, Command{Kind: kind, Argv: argv, Dir: s.dir, Env: env, Source: s.source(line), Certain: certain})
}
