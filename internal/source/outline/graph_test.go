package outline

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

const repository = `
-- web/src/index.ts --
export * from './parse.js';
import { helper as h } from './util';
export const run = () => h(1);
-- web/src/parse.ts --
import * as util from './util/index.ts';
import type { T } from 'types';
export function parse(x: string) { return util.helper(x); }
export class Reader { read() { return parse('a'); } close() { this.read(); } }
-- web/src/util/index.ts --
export function helper(x: unknown) { return x; }
-- web/test/parse.test.ts --
import def, { parse } from '../src/parse';
import { missing } from '../src/missing';
it('parses', () => { expect(parse('1')).toBe(1); });
it('reads', () => { new Reader().read(); });
-- web/legacy.js --
const { run } = require('./src');
module.exports = function main() { return run(); };
-- cjs/lib/glob.js --
const read = require('./read');
const glob = text => read(text).length + read.quick(text);
glob.parse = text => read(text);
module.exports = glob;
-- cjs/lib/read.js --
const read = text => { return [text]; };
read.quick = text => { return 1; };
module.exports = read;
-- cjs/lib/one.js --
module.exports = function only(text) { return text; };
-- cjs/lib/other.js --
const any = require('./one'), { read } = require('./glob');
exports.other = text => any(text) + read(text);
-- cjs/index.js --
module.exports = require('./lib/glob');
-- cjs/test/glob.js --
const pm = require('..');
it('globs', () => { pm('a'); });
it('parses', () => { pm.parse('a'); });
-- web/test/index.test.ts --
import { parse as p } from '../src';
it('goes through the index', () => { p('1'); });
-- py/src/shop/__init__.py --
-- py/src/shop/cart.py --
from . import money
from .money import add as plus

def total(xs):
    return plus(xs, money.add(1))
-- py/src/shop/money.py --
def add(a, b=0):
    return a + b
-- py/tests/test_cart.py --
from shop.cart import total
import shop.money

def test_total():
    assert total([]) == shop.money.add(0)
-- py/src/shop/till.py --
from .drawer import Drawer

class Till(list):
    def __init__(self):
        super().__init__()
        self.drawer = Drawer(self)

    def __str__(self):
        return self.drawer.__str__()
-- py/src/shop/drawer.py --
class Drawer:
    def __init__(self, till):
        self.till = till

    def __str__(self):
        return str(self.till)
-- web/src/money.js --
import { Price } from './price.js';
export function show(x) { return new Price(x).toString() + x.toString() + new Price(1).cents(); }
-- web/src/price.js --
export class Price { constructor(x) { this.x = x; } toString() { return 'p'; } cents() { return 1; } }
-- go/calc/calc.go --
package calc

func Add(a, b int) int { return sum(a, b) }
-- go/calc/sum.go --
package calc

func sum(a, b int) int { return a + b }
-- go/calc/calc_test.go --
package calc

import "testing"

func TestAdd(t *testing.T) { Add(1, 2) }
-- go/main.go --
package main

import "example.com/app/calc"

func main() { calc.Add(1, 2) }
`

func repositoryGraph(t *testing.T) *Graph {
	t.Helper()
	var outlines []qa.Outline
	for _, f := range txtar.Parse([]byte(repository)).Files {
		o, err := Parse(f.Name, f.Data)
		assert.NilError(t, err)
		outlines = append(outlines, o)
	}
	return NewGraph(outlines, map[string]string{"go": "example.com/app"})
}

func TestGraph(t *testing.T) {
	t.Parallel()
	g := repositoryGraph(t)
	for file, want := range map[string]string{
		"web/src/index.ts":       "web/src/parse.ts web/src/util/index.ts",
		"web/src/parse.ts":       "web/src/util/index.ts",
		"web/test/parse.test.ts": "web/src/parse.ts",
		"web/legacy.js":          "web/src/index.ts",
		"py/src/shop/cart.py":    "py/src/shop/__init__.py py/src/shop/money.py",
		"py/tests/test_cart.py":  "py/src/shop/cart.py py/src/shop/money.py",
		"go/main.go":             "go/calc/calc.go go/calc/sum.go",
		"go/calc/calc_test.go":   "go/calc/calc.go go/calc/sum.go",
	} {
		assert.Equal(t, strings.Join(g.Imports(file), " "), want, file)
	}
	assert.Equal(t, g.FanIn("web/src/util/index.ts"), 2)
	assert.Equal(t, strings.Join(g.Dependents("web/src/util/index.ts"), " "),
		"web/legacy.js web/src/index.ts web/src/parse.ts web/test/index.test.ts web/test/parse.test.ts")
	assert.Equal(t, len(g.Dependents("nothing")), 0)
}

func TestCallers(t *testing.T) {
	t.Parallel()
	g := repositoryGraph(t)
	for target, want := range map[string]string{
		"cjs/lib/read.js read":                  "cjs/lib/glob.js:glob cjs/lib/glob.js:glob.parse",
		"cjs/lib/read.js read.quick":            "cjs/lib/glob.js:glob",
		"cjs/lib/one.js only":                   "cjs/lib/other.js:other",
		"cjs/lib/glob.js glob":                  "cjs/test/glob.js:globs",
		"cjs/lib/glob.js glob.parse":            "cjs/test/glob.js:parses",
		"web/src/util/index.ts helper":          "web/src/index.ts:run web/src/parse.ts:parse",
		"web/src/parse.ts parse":                "web/src/parse.ts:Reader.read web/test/index.test.ts:goes through the index web/test/parse.test.ts:parses",
		"web/src/parse.ts Reader.read":          "web/src/parse.ts:Reader.close web/test/parse.test.ts:reads",
		"py/src/shop/money.py add":              "py/src/shop/cart.py:total py/tests/test_cart.py:test_total",
		"go/calc/calc.go Add":                   "go/calc/calc_test.go:TestAdd go/main.go:main",
		"go/calc/sum.go sum":                    "go/calc/calc.go:Add",
		"py/src/shop/drawer.py Drawer.__init__": "py/src/shop/till.py:Till.__init__",
		"py/src/shop/drawer.py Drawer.__str__":  "",
		"web/src/price.js Price.constructor":    "web/src/money.js:show",
		"web/src/price.js Price.toString":       "",
		"web/src/price.js Price.cents":          "web/src/money.js:show",
		"nowhere.go f":                          "",
	} {
		file, name, _ := strings.Cut(target, " ")
		var got []string
		for _, c := range g.Callers(file, name) {
			got = append(got, c.Path+":"+c.Function.Name)
		}
		assert.Equal(t, strings.Join(got, " "), want, target)
	}
}

// Imports lists the files of the repository that a file imports, sorted. For Go
// those are all files of the imported packages, and for a test the files it
// shares its package with.
func (g *Graph) Imports(file string) []string { return g.imports[file] }
