package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/checkout"
	"github.com/org/qa-action/internal/config"
	"github.com/org/qa-action/internal/framework"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/related"
	"github.com/org/qa-action/internal/role/executor"
)

// TestIntegrationTestsCrossModules: an integration test is asked for where another
// module calls the function, goes through that, and stands where the next run counts
// it; findings are asked for unit tests but for the worst.
func TestIntegrationTestsCrossModules(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"go.mod":              "module shop\n",
		"price/price.go":      "package price\n\nfunc Net(n int) int { return round(n) }\n\nfunc round(n int) int { return n }\n",
		"price/price_test.go": "package price\n\nimport \"testing\"\n\nfunc TestNet(t *testing.T) { Net(1) }\n",
		"cart/cart.go":        "package cart\n\nimport \"shop/price\"\n\nfunc Total(n int) int { return price.Net(n) * 2 }\n",
		"offer/offer.go":      "package offer\n\nimport \"shop/price\"\n\nfunc Best(n int) int { return price.Net(n) - 1 }\n",
		"other/suite/uses.go": "package suite\n\nimport \"shop/price\"\n\nfunc Use(n int) int { return price.Net(n) }\n",
	}
	root := t.TempDir()
	for file, text := range files {
		at := filepath.Join(root, filepath.FromSlash(file))
		assert.NilError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		assert.NilError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	in := checkout.Checkout{Root: root, Change: qa.Change{Files: []qa.FileChange{{Path: "offer/offer.go", Kind: qa.KindSource}}}}
	w := Writer{Checkout: in, Config: &config.Config{}, Code: related.New(in)}
	net := qa.Focus{Path: "price/price.go", Symbol: "Net", Lines: qa.Range{Start: 3, End: 3}}
	inner := qa.Focus{Path: "price/price.go", Symbol: "round", Lines: qa.Range{Start: 5, End: 5}}
	k := Known{
		Strategy: &qa.Strategy{Focus: []qa.Focus{net, inner}}, Tests: []string{"price/price_test.go"},
		Findings: []qa.Finding{
			{ID: "1", Path: net.Path, Symbol: "Net", Status: qa.StatusNew, Perspectives: []qa.Perspective{qa.Bug}, Severity: qa.High, Lines: net.Lines},
			{ID: "2", Path: net.Path, Symbol: "Net", Status: qa.StatusNew, Perspectives: []qa.Perspective{qa.Bug}, Severity: qa.Critical, Lines: net.Lines},
		},
	}
	k.Suite = func(file string) (Suite, bool) {
		if strings.HasPrefix(file, "other/") {
			return Suite{Target: "other", Framework: "gotest"}, true
		}
		return Suite{Target: ".", Framework: "gotest"}, true
	}
	assert.Equal(t, len(w.entries(inner, k)), 0, "only its own package calls it")
	assert.Assert(t, w.Crosses(k))

	s, err := w.subject(t.Context(), qa.L2, net, k)
	assert.NilError(t, err)
	assert.Equal(t, s.TestPath, "offer/offer_integration_test.go", "the changed module is entered first")
	assert.Equal(t, s.Package, "offer")
	assert.Assert(t, strings.Contains(s.Through, "func Best") && strings.Contains(s.Through, "func Total"), s.Through)
	assert.Assert(t, !strings.Contains(s.Through, "Use"), "another suite does not run the test")
	assert.Equal(t, len(s.Findings), 1)
	assert.Equal(t, s.Findings[0].ID, "2")
	assert.Assert(t, !s.closed())
	done := s
	done.Findings, done.Beneath, done.Survivors = nil, nil, nil
	assert.Assert(t, done.closed())
	done.Focus.Uncovered = []qa.Range{done.Focus.Lines}
	assert.Assert(t, !done.closed())

	unit, err := w.subject(t.Context(), qa.L1, net, k)
	assert.NilError(t, err)
	assert.Equal(t, unit.Through, "")
	_, err = w.subject(t.Context(), qa.L2, inner, k)
	assert.ErrorContains(t, err, "no function of another module calls it")
}

// Where a framework puts tests, those of a layer are counted as such.
func TestIntegrationTestsAreCounted(t *testing.T) {
	t.Parallel()
	for _, name := range framework.Names() {
		a, err := framework.For(name)
		assert.NilError(t, err)
		for _, source := range []string{"src/a.go", "src/b.ts", "pkg/c.py", "lib/d.js", "src/main/java/x/E.java", "src/f.rs"} {
			file := a.TestPath(source, nil)
			named := executor.Named(qa.L2, file)
			if named == file {
				continue
			}
			assert.Equal(t, executor.LayerOf(qa.Case{File: named}), qa.L2, named)
			if a.IsTest(file) {
				assert.Assert(t, a.IsTest(named), "%s: %s", a.Name, named)
			}
		}
	}
}
