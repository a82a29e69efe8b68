package outline

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
)

const twoTypes = `
-- g/conn.go --
package g

type Conn struct{}

func (c *Conn) Close() {}

type File struct{ conn *Conn; other *Other; out any }

type Other struct{}

func (o *Other) Close() {}

func Open() (*Other, error) { return nil, nil }

var std = &Other{}
-- g/use.go --
package g

import (
	"net"
	"os"
)

func declared(c *Conn) { c.Close() }
func elsewhere(o *Other) { o.Close() }
func literal() { o := Other{}; o.Close() }
func made() { c := new(Conn); c.Close() }
func opened() { o, _ := Open(); o.Close() }
func global() { std.Close() }
func field(f File) { f.conn.Close() }
func otherField(f File) { f.other.Close() }
func anything(x any) { x.Close() }
func file(f *os.File) { f.Close() }
func listener(l net.Listener) { l.Close() }
func pkg() { net.Close() }
func alone() { Close() }
func inFile(f File) { f.out.Close() }
-- h/h.go --
package h

import "example.com/r/g"

type Conn struct{}

func near(c *Conn) { c.Close() }
func far(c *g.Conn) { c.Close() }
-- p/base.py --
import json

class Field:
    def load(self, x):
        return self._load(x)

    def _load(self, x):
        return x

class Number(Field):
    def _load(self, x):
        return int(x)

class Text(Field):
    def again(self):
        return self._load('')

class Schema:
    def _load(self, x):
        return json._load(x)

    def load(self, x):
        return super()._load(x)

    def go(self, field: Field, any):
        self._load(1)

    def fields(self):
        number = Number()
        return number._load(1)

def anything(field):
    return field._load(1)

def plain(x):
    return _load(x)
-- j/a.ts --
import * as fs from 'fs';
export class Reader { close() {} twice() { this.close(); } }
export class Writer { inner = new Reader(); close() {} done() { this.close(); } all() { this.inner.close(); } }
export function one(r: Reader) { r.close(); }
export function two() { const w = new Writer(); w.close(); }
export function three(x) { x.close(); }
export function four() { fs.close(1); }
export function five() { const m = new Map(); m.close(); }
export function outer() { const step = () => 1; return step(); }
export function beside() { step(); }
`

// A caller of a method is none of another type's method of that name, as far as the text
// tells; what is sure stands first.
func TestCallersAreOfTheType(t *testing.T) {
	t.Parallel()
	var outlines []qa.Outline
	for _, f := range txtar.Parse([]byte(twoTypes)).Files {
		o, err := Parse(f.Name, f.Data)
		assert.NilError(t, err)
		outlines = append(outlines, o)
	}
	g := NewGraph(outlines, map[string]string{"": "example.com/r"})
	for _, c := range []struct{ file, name, want string }{
		{"g/conn.go", "Conn.Close", "declared made field far anything listener inFile"},
		{"g/conn.go", "Other.Close", "elsewhere literal opened global otherField anything listener inFile"},
		{"p/base.py", "Field._load", "Field.load anything Text.again"},
		{"p/base.py", "Number._load", "Schema.fields Field.load anything"},
		{"p/base.py", "Schema._load", "Schema.go anything"},
		{"j/a.ts", "Reader.close", "Reader.twice Writer.all one three"},
		{"j/a.ts", "Writer.close", "Writer.done two three"},
		{"j/a.ts", "outer.step", "outer"},
	} {
		var got []string
		for _, at := range g.Callers(c.file, c.name) {
			got = append(got, at.Function.Name)
		}
		want := strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		assert.DeepEqual(t, got, want)
	}
	assert.Equal(t, g.Callers("p/base.py", "Number._load")[0].Function.Name, "Schema.fields")
	var called []string
	for _, at := range g.Callees("p/base.py", "Schema.go") {
		called = append(called, at.Function.Name)
	}
	assert.DeepEqual(t, called, []string{"Schema._load"})
}
