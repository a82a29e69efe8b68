package source

import "strings"

type scriptFlow struct{ scriptGrammar }

func newScriptFlow(t *tree) flow { return scriptFlow{scriptGrammar{t}} }

var scriptFrameworks = set("vitest jest @jest/globals mocha chai sinon sinon-chai chai-as-promised node:test node:assert assert " +
	"node:assert/strict assert/strict ava tap should expect ts-mockito jest-mock @vitest/spy test")

var scriptNames = set("expect vi jest sinon console JSON Object Array Math String " +
	"Number Boolean Date Promise Symbol Map Set process Buffer Error TypeError RangeError setTimeout")

var nodeModules = set("fs path os url util events stream buffer crypto http https http2 net dns tls zlib child_process " +
	"worker_threads perf_hooks timers readline string_decoder querystring vm process console module v8 fs/promises timers/promises stream/promises")

func (f scriptFlow) seeds(tn *testNode, file map[string]bool) map[string]bool {
	out := map[string]bool{}
	if tn != nil {
		// A spy shows what the code did, if the test has it do something.
		if mentions(f.tree, tn.node, file) {
			tn.node.walk(func(n *node) bool {
				if n.is("variable_declarator") && strings.Contains(f.text(n.at("value")), ".spyOn(") {
					out[f.text(n.at("name"))] = true
				}
				return true
			})
		}
		return out
	}
	out["document"], out["window"] = true, true
	mocked := f.mockedModules()
	f.root.walk(func(n *node) bool {
		for _, im := range f.importsAt(n) {
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
	f.root.walk(func(n *node) bool {
		if callee := f.called(n); callee == "vi.mock" || callee == "jest.mock" {
			text := f.text(n)
			args := n.at("arguments").parts()
			if len(args) > 0 && !strings.Contains(text, "importActual") && !strings.Contains(text, "requireActual") && !strings.Contains(text, "importOriginal") {
				out[f.literal(args[0])] = true
			}
		}
		return true
	})
	return out
}

func (f scriptFlow) called(n *node) string {
	switch {
	case n.is("call_expression"):
		return f.scriptGrammar.callee(n.at("function"))
	case n.is("new_expression"):
		return f.scriptGrammar.callee(n.at("constructor"))
	}
	return ""
}

func (f scriptFlow) replaced(in *node) map[string]bool {
	out := map[string]bool{}
	in.walk(func(n *node) bool {
		if callee := f.called(n); strings.HasSuffix(callee, ".spyOn") || strings.HasSuffix(callee, ".stub") {
			args := n.at("arguments").parts()
			if len(args) > 1 && (strings.HasSuffix(callee, ".stub") || strings.Contains(f.text(n.parent), ".mock")) {
				out[literalName(f.text(args[1]))] = true
			}
		}
		return true
	})
	return out
}
