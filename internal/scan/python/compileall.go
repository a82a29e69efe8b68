package python

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
)

// Compileall has Python itself parse changed files. It imports and writes
// nothing: the files are compiled in memory.
var Compileall = engine.Engine{
	Name:         "compileall",
	Perspectives: []qa.Perspective{qa.Bug},
	Languages:    []string{"python"}, Tool: "python3", Version: []string{"--version"},
	PerFile: true, LineOnly: true, Shallow: true,
	Alone: func(p *engine.Pass) (string, bool) {
		_, err := p.Tool("ruff")
		return compileScript, err != nil
	},
	Run: runCompileall,
}

// compileScript takes paths as arguments and prints one JSON object for each
// file that does not parse. -I keeps the directory of the files out of the
// import path, so json is the real one.
const compileScript = `import json, sys
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as f:
            compile(f.read(), path, "exec", dont_inherit=True)
    except SyntaxError as e:
        print(json.dumps({"path": path, "line": e.lineno or 1, "column": e.offset or 1, "message": e.msg}))
    except ValueError as e:
        print(json.dumps({"path": path, "line": 1, "column": 1, "message": str(e)}))
`

func runCompileall(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	if _, err := p.Tool("ruff"); err == nil {
		return nil, engine.SkipError("ruff is installed and reports syntax errors itself")
	}
	tool, err := p.Tool("python3")
	if err != nil {
		return nil, err
	}
	return p.Over(ctx, engine.Call{Dir: ".", Argv: []string{tool, "-I", "-W", "ignore", "-c", compileScript}, Read: ParseCompileall})
}

func ParseCompileall(res process.Result) ([]engine.Hit, error) {
	var hits []engine.Hit
	dec := json.NewDecoder(bytes.NewReader(res.Stdout))
	for dec.More() {
		var d struct {
			Path, Message string
			Line, Column  int
		}
		if err := dec.Decode(&d); err != nil {
			return hits, engine.Garbled("python3", res, err)
		}
		hits = append(hits, engine.Hit{
			Rule: "python/syntax", Path: d.Path, Lines: qa.Range{Start: d.Line, End: d.Line}, Column: d.Column,
			Message: "Does not parse: " + d.Message,
		})
	}
	if res.ExitCode != 0 {
		return hits, engine.Garbled("python3", res, engine.OrMissing(nil, "clean end"))
	}
	return hits, nil
}
