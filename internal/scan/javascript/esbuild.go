package javascript

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Esbuild parses JavaScript and TypeScript inside this binary: syntax
// errors and esbuild's own warnings, with nothing installed.
var Esbuild = engine.Engine{
	Name:         "esbuild",
	Perspectives: []qa.Perspective{qa.Bug, qa.Security},
	Languages:    []string{"javascript", "typescript"},
	PerFile:      true, LineOnly: true, Shallow: true,
	YieldsTo: []string{"eslint", "biome"},
	Alone:    func(*engine.Pass) (string, bool) { return "", true },
	Run:      runEsbuild,
}

var loaders = map[string]api.Loader{
	// Plain .js files of many projects hold JSX, and JSX takes nothing away.
	".js": api.LoaderJSX, ".mjs": api.LoaderJSX, ".cjs": api.LoaderJSX, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX,
}

func runEsbuild(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	var hits []engine.Hit
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return hits, ctx.Err()
		}
		loader, ok := loaders[strings.ToLower(path.Ext(f.Path))]
		if !ok || bytes.Contains(f.Source[:min(len(f.Source), 2000)], []byte("@flow")) {
			continue
		}
		res := api.Transform(string(f.Source), api.TransformOptions{
			Loader: loader, Sourcefile: f.Path, LogLevel: api.LogLevelSilent, LogLimit: 0,
			JSX: api.JSXPreserve, Target: api.ESNext, TsconfigRaw: "{}",
		})
		// After the first syntax error the parser guesses; only it is certain.
		for i, m := range res.Errors {
			if i == 0 {
				hits = append(hits, message(f, "syntax", m))
			}
		}
		for _, m := range res.Warnings {
			hits = append(hits, message(f, m.ID, m))
		}
	}
	return hits, nil
}

func message(f *engine.File, rule string, m api.Message) engine.Hit {
	h := engine.Hit{Rule: "esbuild/" + rule, Path: f.Path, Message: m.Text}
	if rule == "syntax" {
		h.Message = "Does not parse: " + m.Text
	}
	if m.Location != nil {
		line := min(max(m.Location.Line, 1), max(f.Lines(), 1))
		h.Lines = qa.Range{Start: line, End: line}
		h.Column = m.Location.Column + 1
		h.Suggestion = m.Location.Suggestion
		if h.Suggestion != "" {
			h.Suggestion = "Write " + h.Suggestion
		}
	}
	return h
}
