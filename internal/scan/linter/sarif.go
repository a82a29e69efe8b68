package linter

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/org/qa-action/internal/jsonscan"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/scan/engine"
	"github.com/org/qa-action/internal/scan/sarif"
)

// SARIF carries the user's linters and earlier steps that write SARIF 2.1.0
// (docs.oasis-open.org/sarif/sarif/v2.1.0).
var SARIF = engine.Engine{
	Name:         "sarif",
	Perspectives: qa.Perspectives(),
}

// maxReport bounds one SARIF file; GitHub refuses more than 10 MB compressed.
const maxReport = 64 << 20

// reportBounds are what it may consist of: of each value a decoder may make a
// whole result.
var reportBounds = jsonscan.Bounds{Values: 4_000_000, Depth: 100}

func (l Linter) runSARIF(ctx context.Context, p *engine.Pass) ([]engine.Hit, error) {
	if len(l.mine(p.Files)) == 0 {
		return nil, engine.SkipError("no file it is for changed")
	}
	var hits []engine.Hit
	if len(l.Command) > 0 {
		results, err := l.call(ctx, p)
		if err != nil {
			return nil, err
		}
		for _, res := range results {
			if l.Report != "-" {
				break
			}
			found, err := sarif.Parse(res.Stdout)
			if err != nil {
				return hits, engine.Garbled(l.Name, res, err)
			}
			hits = append(hits, found...)
		}
	}
	if l.Report != "-" {
		found, err := l.readReports(p)
		hits = append(hits, found...)
		if err != nil {
			return hits, err
		}
	}
	for i := range hits {
		hits[i] = l.apply(hits[i])
	}
	return hits, nil
}

// readReports reads every file the linter's glob names; none is an error, for
// a report that was not written is not a clean report.
func (l Linter) readReports(p *engine.Pass) ([]engine.Hit, error) {
	root := p.Tree.Root
	if len(l.Command) > 0 { // it wrote where programs run
		var err error
		if root, err = os.OpenRoot(p.AbsRoot); err != nil {
			return nil, fmt.Errorf("find %s: %w", l.Report, err)
		}
		defer root.Close()
	}
	names, err := doublestar.Glob(root.FS(), path.Clean(l.Report), doublestar.WithNoFollow())
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", l.Report, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no file matches %s: did the step before write it?", l.Report)
	}
	slices.Sort(names)
	var hits []engine.Hit
	for _, name := range names {
		data, err := readBounded(root.FS(), name)
		if err != nil {
			return hits, err
		}
		found, err := sarif.Parse(data)
		if err != nil {
			return hits, fmt.Errorf("%s: %w", name, err)
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

func readBounded(tree fs.FS, name string) ([]byte, error) {
	file, err := tree.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	defer file.Close()
	data, err := reportBounds.ReadAll(file, maxReport)
	if err != nil {
		return nil, fmt.Errorf("read report %s: %w", name, err)
	}
	return data, nil
}
