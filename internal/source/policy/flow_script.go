package policy

import (
	"strings"

	"github.com/org/qa-action/internal/source/edit"
	"github.com/org/qa-action/internal/source/outline"
	"github.com/org/qa-action/internal/source/syntax"
)

type scriptFlow struct{ outline.Script }

func newScriptFlow(t *syntax.Tree) flow { return scriptFlow{outline.Script{Tree: t}} }

var scriptFrameworks = set("vitest jest @jest/globals mocha chai sinon sinon-chai chai-as-promised node:test node:assert assert " +
	"node:assert/strict assert/strict ava tap should expect ts-mockito jest-mock @vitest/spy test")

var scriptNames = set("expect vi jest sinon console JSON Object Array Math String " +
	"Number Boolean Date Promise Symbol Map Set process Buffer Error TypeError RangeError setTimeout")

var nodeModules = set("fs path os url util events stream buffer crypto http https http2 net dns tls zlib child_process " +
	"worker_threads perf_hooks timers readline string_decoder querystring vm process console module v8 fs/promises timers/promises stream/promises")

func (f scriptFlow) seeds(tn *edit.Case, file map[string]bool) map[string]bool {
	out := map[string]bool{}
	if tn != nil {
		// A spy shows what the code did, if the test has it do something.
		if mentions(f.Tree, tn.Node, file) {
			tn.Node.Walk(func(n *syntax.Node) bool {
				if n.Is("variable_declarator") && strings.Contains(f.Text(n.At("value")), ".spyOn(") {
					out[f.Text(n.At("name"))] = true
				}
				return true
			})
		}
		return out
	}
	out["document"], out["window"] = true, true
	mocked := f.mockedModules()
	f.Root.Walk(func(n *syntax.Node) bool {
		for _, im := range f.ImportsAt(n) {
			if !scriptFrameworks[im.Path] && !nodeModules[strings.TrimPrefix(im.Path, "node:")] && !mocked[im.Path] {
				for _, name := range im.Names {
					out[name] = true
				}
			}
		}
		return true
	})
	return out
}

// mockedModules are the paths that the file replaces as a whole.
func (f scriptFlow) mockedModules() map[string]bool {
	out := map[string]bool{}
	f.Root.Walk(func(n *syntax.Node) bool {
		if callee := f.called(n); callee == "vi.mock" || callee == "jest.mock" {
			text := f.Text(n)
			args := n.At("arguments").Parts()
			if len(args) > 0 && !strings.Contains(text, "importActual") && !strings.Contains(text, "requireActual") && !strings.Contains(text, "importOriginal") {
				out[f.Literal(args[0])] = true
			}
		}
		return true
	})
	return out
}

func (f scriptFlow) called(n *syntax.Node) string {
	switch {
	case n.Is("call_expression"):
		return f.Script.Callee(n.At("function"))
	case n.Is("new_expression"):
		return f.Script.Callee(n.At("constructor"))
	}
	return ""
}

func (f scriptFlow) replaced(in *syntax.Node) map[string]bool {
	out := map[string]bool{}
	in.Walk(func(n *syntax.Node) bool {
		if callee := f.called(n); strings.HasSuffix(callee, ".spyOn") || strings.HasSuffix(callee, ".stub") {
			args := n.At("arguments").Parts()
			if len(args) > 1 && (strings.HasSuffix(callee, ".stub") || strings.Contains(f.Text(n.Parent), ".mock")) {
				out[literalName(f.Text(args[1]))] = true
			}
		}
		return true
	})
	return out
}
