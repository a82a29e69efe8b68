package linter

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewdog/errorformat"
	"github.com/reviewdog/errorformat/fmts"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Errorformat carries the user's linters whose output is lines of text.
var Errorformat = engine.Engine{
	Name:         "errorformat",
	Perspectives: qa.Perspectives(),
}

// patterns compiles the linter's format.
func (l Linter) patterns() (*errorformat.Errorformat, error) {
	forms := l.Errorformat
	if l.Format != "" {
		known, ok := fmts.DefinedFmts()[l.Format]
		if !ok {
			names := slices.Sorted(maps.Keys(fmts.DefinedFmts()))
			return nil, fmt.Errorf("unknown format %q, known formats are %s", l.Format, strings.Join(names, ", "))
		}
		forms = known.Errorformat
	}
	compiled, err := errorformat.NewErrorformat(forms)
	if err != nil {
		return nil, fmt.Errorf("errorformat: %w", err)
	}
	return compiled, nil
}

func (l Linter) runErrorformat(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	results, err := l.call(ctx, p)
	if err != nil {
		return nil, err
	}
	var hits []engine.Hit
	for _, res := range results {
		found, err := l.Parse(res)
		if err != nil {
			return hits, err
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

// call runs the linter's command, in pieces when it takes many files.
func (l Linter) call(ctx context.Context, p *engine.Pass) ([]process.Result, error) {
	files := l.mine(p.Files)
	if len(files) == 0 {
		return nil, engine.SkipError("no file it is for changed")
	}
	argvs := [][]string{l.Command}
	if slices.Contains(l.Command, "{files}") {
		argvs = each.Of(engine.Chunks(engine.Args(".", files)), l.argv)
	}
	var out []process.Result
	p.Runs()
	for _, argv := range argvs {
		if !strings.ContainsRune(argv[0], filepath.Separator) {
			program, err := p.OwnTool(argv[0], "the way its project says (linter "+l.Name+" of the config file)")
			if err != nil {
				return nil, err
			}
			argv[0] = program
		}
		res, err := p.Run(ctx, ".", nil, argv...)
		if err != nil {
			return nil, err
		}
		out = append(out, res)
	}
	return out, nil
}

// Parse reads both streams: linters disagree on where findings belong.
func (l Linter) Parse(res process.Result) ([]engine.Hit, error) {
	forms, err := l.patterns()
	if err != nil {
		return nil, err
	}
	var hits []engine.Hit
	for _, stream := range [][]byte{res.Stdout, res.Stderr} {
		lines := forms.NewScanner(bytes.NewReader(shortLines(stream)))
		for lines.Scan() {
			entry := lines.Entry()
			if !entry.Valid || entry.Filename == "" || entry.Lnum < 1 {
				continue
			}
			h := engine.Hit{
				Rule: l.Name + "/" + ruleOf(entry), Path: entry.Filename, Column: entry.Col,
				Lines:   qa.Range{Start: entry.Lnum, End: max(entry.Lnum, entry.EndLnum)},
				Message: entry.Text,
			}
			switch entry.Type {
			case 'E', 'e':
				h.Severity = qa.Medium
			case 'W', 'w', 'I', 'i', 'N', 'n':
				h.Severity = qa.Low
			}
			hits = append(hits, l.apply(h))
		}
	}
	if len(hits) == 0 && res.ExitCode > 1 {
		return nil, fmt.Errorf("%s failed with exit code %d and no line in the declared format: %s", l.Command[0], res.ExitCode, wording.Cut(wording.First(string(res.Stderr)+string(res.Stdout)), 200))
	}
	return hits, nil
}

// shortLines cuts lines that the library's reader would stop at.
func shortLines(text []byte) []byte {
	const limit = 32 << 10
	if len(text) <= limit {
		return text
	}
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if len(line) > limit {
			line = append(bytes.Clone(line[:limit]), '\n')
		}
		out.Write(line)
	}
	return out.Bytes()
}

// ruleOf takes the rule from where linters put it: the error number, or the
// first word of the message when it looks like a code ("E501 line too long").
func ruleOf(entry *errorformat.Entry) string {
	if entry.Nr > 0 {
		return fmt.Sprint(entry.Nr)
	}
	word, _, _ := strings.Cut(strings.TrimSpace(entry.Text), " ")
	word = strings.Trim(word, "[]():")
	if len(word) > 1 && len(word) < 20 && strings.ContainsAny(word, "0123456789") && strings.ToUpper(word) == word {
		return word
	}
	return "finding"
}
