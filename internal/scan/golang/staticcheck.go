package golang

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/wording"
)

// Staticcheck runs staticcheck (staticcheck.dev): its bug checks but the use of
// deprecated names, which is a plan and no defect, and unused code. A staticcheck.conf of the repository is overruled, so that a change
// cannot switch checks off.
var Staticcheck = engine.Engine{
	Name:         "staticcheck",
	Perspectives: []qa.Perspective{qa.Bug, qa.CodeQuality, qa.TestCoverage},
	Languages:    []string{"go"}, Tool: "staticcheck", Version: []string{"-version"},
	YieldsTo: []string{"golangci-lint"},
	Run:      runStaticcheck,
}

func runStaticcheck(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	tool, err := p.Tool("staticcheck")
	if err != nil {
		return nil, err
	}
	return eachModule(ctx, p, func(module string, dirs []string) ([]engine.Hit, error) {
		argv := append([]string{tool, "-f", "json", "-checks", "SA*,-SA1019,U1000", "--"}, dirs...)
		res, err := p.Run(ctx, module, goEnv(p), argv...)
		if err != nil {
			return nil, err
		}
		return ParseStaticcheck(module, res)
	})
}

// ParseStaticcheck reads one object a line:
// {"code","location":{"file","line","column"},"end":{…},"message"}.
func ParseStaticcheck(module string, res process.Result) ([]engine.Hit, error) {
	type place struct {
		File         string
		Line, Column int
	}
	var hits []engine.Hit
	for line := range bytes.Lines(res.Stdout) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var d struct {
			Code          string
			Location, End place
			Message       string
		}
		if err := json.Unmarshal(line, &d); err != nil || d.Code == "" {
			return hits, engine.Garbled("staticcheck", res, errors.Join(err, errors.New("expected one JSON object a line")))
		}
		if d.Code == "compile" {
			if found, err := compileDiagnostic(module, d.Location.File, d.Location.Line, d.Location.Column, d.Message); err != nil {
				return hits, err
			} else if len(found) > 0 {
				hits = append(hits, found...)
			}
			continue
		}
		hits = append(hits, engine.Hit{
			Rule: "staticcheck/" + d.Code, URL: "https://staticcheck.dev/docs/checks/#" + d.Code,
			Path: d.Location.File, Lines: qa.Range{Start: d.Location.Line, End: d.End.Line}, Column: d.Location.Column,
			Message: engine.Sentence(d.Message),
		})
	}
	if len(hits) == 0 && res.ExitCode != 0 { // it says on the other stream why it could not look
		if unresolved.Match(res.Stderr) {
			return nil, unloadable(wording.Cut(wording.First(string(res.Stderr)), 200))
		}
		return nil, engine.Garbled("staticcheck", res, errors.New("no findings and a failing exit code"))
	}
	return hits, nil
}

// compileDiagnostic reads the loader's error, which has a position of its
// own or the compiler's lines in its text.
func compileDiagnostic(module, file string, line, column int, message string) ([]engine.Hit, error) {
	if file != "" && line > 0 && !unresolved.MatchString(message) {
		return []engine.Hit{{
			Rule: "go/compile", Path: file, Lines: qa.Range{Start: line, End: line}, Column: column,
			Message: "Does not compile: " + message,
		}}, nil
	}
	return compileErrors(module, []byte(message))
}
