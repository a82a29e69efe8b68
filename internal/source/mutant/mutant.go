// Package mutant makes small wrong versions of changed lines, see [Make]. What
// the tests say of them is judged elsewhere.
package mutant

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/source/syntax"
)

// Mutation operators, the mutatorName of the mutation-testing-report schema.
// Where a line offers several, the one that is listed first is taken.
const (
	ConditionalBoundary = "ConditionalBoundary" // < to <=
	equalityOperator    = "EqualityOperator"    // == to !=
	logicalOperator     = "LogicalOperator"     // && to ||
	conditionalNegation = "ConditionalNegation" // if x to if !x
	arithmeticOperator  = "ArithmeticOperator"  // + to -
	assignmentOperator  = "AssignmentOperator"  // += to -=, ++ to --
	regularExpression   = "RegularExpression"   // ^a+ to a+, a+ to a*, \d to \D
	removedError        = "RemovedError"        // throw, or the error that is returned, to nothing
	jump                = "Jump"                // continue to break, break to nothing
	ReturnValue         = "ReturnValue"         // return x to return nothing or zero
	RemovedCall         = "RemovedCall"         // f() to nothing
	removedStatement    = "RemovedStatement"    // a.b = x to nothing
	constantChange      = "Constant"            // 1 to 2, true to false
	stringLiteral       = "StringLiteral"       // "a" to ""
	propagation         = "ArgumentPropagation" // f(x) to x, in [Every] alone
	earlyReturn         = "EarlyReturn"         // if x { return y } to going on, in [Every] alone
)

// operators lists the mutation operators, preferred ones first.
var operators = []string{
	ConditionalBoundary, equalityOperator, logicalOperator, conditionalNegation, arithmeticOperator,
	assignmentOperator, regularExpression, removedError, jump, ReturnValue, RemovedCall, removedStatement, constantChange, stringLiteral, propagation, earlyReturn,
}

// Mutant is one small wrong version of a file.
type Mutant struct {
	// ID is stable when the line moves: it is made of path, operator, the text
	// of the line and the place in it.
	ID          string `json:"id"`
	Operator    string `json:"mutatorName"`
	Path        string `json:"path"`
	Line        int    `json:"line"`
	Column      int    `json:"column"` // 1-based, in bytes
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	StartByte   int    `json:"start_byte"` // in the text it was made from
	EndByte     int    `json:"end_byte"`
}

// Apply gives the file with the mutant in it. src is the text that the mutant
// was made from.
func Apply(src []byte, m Mutant) []byte {
	return slices.Concat(src[:m.StartByte], []byte(m.Replacement), src[m.EndByte:])
}

// mutation is one candidate.
type mutation struct {
	operator    string
	start, end  int
	replacement string
}

// mutator makes candidates for one language.
type mutator interface {
	// at lists what can be done to a single node.
	at(n *syntax.Node) []mutation
	// arid is true for a subtree that no test should have to watch: logging,
	// texts of errors, imports, types.
	arid(n *syntax.Node) bool
	// standalone is a top-level declaration as a file of its own.
	standalone(text []byte) []byte
}

// mutators are the ones of the grammars.
var mutators = map[string]func(*syntax.Tree) mutator{
	"go": newGoMutator, "python": newPythonMutator, "rust": newRustMutator, "java": newJavaMutator,
	"javascript": newScriptMutator, "typescript": newTypedMutator, "tsx": newTypedMutator,
}

// Make makes at most one mutant for each of the given lines of the file,
// in the order of the lines. Every one still parses; one of Go keeps the names
// used that the compiler wants used. A file with syntax errors is refused.
func Make(path string, src []byte, lines []qa.Range) ([]Mutant, error) {
	return choices(path, src, lines, 1, func(c mutation) bool { return c.operator != propagation && c.operator != earlyReturn })
}

// Every is [Make] with all that a line offers, as far as most of each: the one that
// Make takes first.
func Every(path string, src []byte, lines []qa.Range, most int) ([]Mutant, error) {
	return choices(path, src, lines, most, func(mutation) bool { return true })
}

// choices makes as far as most mutants of each line, of those that are wanted.
func choices(path string, src []byte, lines []qa.Range, most int, wanted func(mutation) bool) ([]Mutant, error) {
	t, err := syntax.ParseWhole(path, src)
	if err != nil {
		return nil, fmt.Errorf("mutate: %w", err)
	}
	m := mutators[t.Grammar](t)
	byLine := map[int][]mutation{}
	for _, top := range t.Root.Children {
		if !touches(lines, t.Span(top.Start, top.End)) {
			continue
		}
		top.Walk(func(n *syntax.Node) bool {
			if m.arid(n) {
				return false
			}
			for _, c := range m.at(n) {
				line := t.Line(c.start)
				if touches(lines, qa.Range{Start: line, End: line}) && string(src[c.start:c.end]) != c.replacement && !neutral(src, c) && wanted(c) {
					byLine[line] = append(byLine[line], c)
				}
			}
			return true
		})
	}
	return pick(m, t, path, byLine, most), nil
}

func touches(lines []qa.Range, r qa.Range) bool {
	return slices.ContainsFunc(lines, r.Overlaps)
}

// pick takes the first candidates of each line that parse, preferred operators
// and outer, left ones first.
func pick(m mutator, t *syntax.Tree, path string, byLine map[int][]mutation, most int) []Mutant {
	rank := func(c mutation) int { return slices.Index(operators, c.operator) }
	out := []Mutant{}
	seen := map[string]int{}
	for _, line := range slices.Sorted(maps.Keys(byLine)) {
		candidates := byLine[line]
		slices.SortStableFunc(candidates, func(a, b mutation) int {
			return cmp.Or(rank(a)-rank(b), a.start-b.start)
		})
		taken := 0
		for _, c := range candidates {
			mutant := Mutant{
				Operator: c.operator, Path: path, Line: line, Column: t.Column(c.start),
				Original: string(t.Src[c.start:c.end]), Replacement: c.replacement,
				StartByte: c.start, EndByte: c.end,
			}
			if !viable(m, t, mutant) {
				continue
			}
			mutant.ID = mutant.id(t, seen)
			out = append(out, mutant)
			if taken++; taken == most {
				break
			}
		}
	}
	return out
}

// viable parses the mutated declaration alone, which costs less than the file.
func viable(m mutator, t *syntax.Tree, mutant Mutant) bool {
	for _, top := range t.Root.Children {
		if top.Start <= mutant.StartByte && mutant.EndByte <= top.End {
			text := slices.Concat(t.Src[top.Start:mutant.StartByte], []byte(mutant.Replacement), t.Src[mutant.EndByte:top.End])
			mutated, err := syntax.ParseText(t.Grammar, m.standalone(text))
			return err == nil && !mutated.Broken
		}
	}
	return false
}

func (m Mutant) id(t *syntax.Tree, seen map[string]int) string {
	start := t.Lines[m.Line-1]
	end := len(t.Src)
	if m.Line < len(t.Lines) {
		end = t.Lines[m.Line]
	}
	text := string(t.Src[start:end])
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%s", m.Path, m.Operator, strings.TrimSpace(text), m.Column-indent, m.Replacement)
	seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
	return hex.EncodeToString(sum[:6])
}

// binaryMutation is what becomes of a binary operator, in all languages.
var binaryMutation = map[string]struct{ operator, replacement string }{
	"<": {ConditionalBoundary, "<="}, "<=": {ConditionalBoundary, "<"},
	">": {ConditionalBoundary, ">="}, ">=": {ConditionalBoundary, ">"},
	"==": {equalityOperator, "!="}, "!=": {equalityOperator, "=="},
	"===": {equalityOperator, "!=="}, "!==": {equalityOperator, "==="},
	"is": {equalityOperator, "is not"}, "is not": {equalityOperator, "is"},
	"in": {equalityOperator, "not in"}, "not in": {equalityOperator, "in"},
	"&&": {logicalOperator, "||"}, "||": {logicalOperator, "&&"}, "??": {logicalOperator, "&&"},
	"and": {logicalOperator, "or"}, "or": {logicalOperator, "and"},
	"+": {arithmeticOperator, "-"}, "-": {arithmeticOperator, "+"},
	"*": {arithmeticOperator, "/"}, "/": {arithmeticOperator, "*"},
	"**": {arithmeticOperator, "*"}, "**=": {assignmentOperator, "*="},
	"%": {arithmeticOperator, "*"}, "//": {arithmeticOperator, "*"},
	"&": {arithmeticOperator, "|"}, "|": {arithmeticOperator, "&"}, "^": {arithmeticOperator, "&"},
	"<<": {arithmeticOperator, ">>"}, ">>": {arithmeticOperator, "<<"}, ">>>": {arithmeticOperator, "<<"},
	"+=": {assignmentOperator, "-="}, "-=": {assignmentOperator, "+="},
	"*=": {assignmentOperator, "/="}, "/=": {assignmentOperator, "*="},
	"++": {assignmentOperator, "--"}, "--": {assignmentOperator, "++"},
}

// neutralWith is the number with which two operators that are each other's mutants do the
// same.
var neutralWith = map[string]string{"+": "0", "-": "0", "+=": "0", "-=": "0", "*": "1", "/": "1", "*=": "1", "/=": "1"}

// neutral reports that such a number follows an operator: no test could tell.
func neutral(src []byte, c mutation) bool {
	number := neutralWith[string(src[c.start:c.end])]
	rest, follows := strings.CutPrefix(strings.TrimLeft(string(src[c.end:min(len(src), c.end+16)]), " \t"), number)
	return number != "" && follows && (rest == "" || !strings.ContainsAny(rest[:1], "0123456789._xXoObBeE"))
}

func swap(op *syntax.Node, kind string) []mutation {
	if s, ok := binaryMutation[kind]; ok && op != nil {
		return []mutation{{s.operator, op.Start, op.End, s.replacement}}
	}
	return nil
}

func replace(operator string, n *syntax.Node, text string) []mutation {
	return []mutation{{operator, n.Start, n.End, text}}
}

// literal changes a truth value or a number to another one of its kind.
func literal(n *syntax.Node, text, yes, no string) []mutation {
	switch n.Kind {
	case "true":
		return replace(constantChange, n, no)
	case "false":
		return replace(constantChange, n, yes)
	}
	if next, ok := nextNumber(text); ok {
		return replace(constantChange, n, next)
	}
	return nil
}

// nextNumber is another number for a decimal literal; false for others. 255 and the
// like go down, so that they still fit their type.
func nextNumber(number string) (string, bool) {
	if whole, part, ok := strings.Cut(number, "."); ok && part != "" && strings.Trim(part, "0123456789") == "" {
		next, ok := nextNumber(whole)
		return next + "." + part, ok
	}
	if len(number) > 9 || len(number) > 1 && number[0] == '0' {
		return "", false
	}
	n, err := strconv.Atoi("0" + number) // nothing before a point is 0
	if err != nil {
		return "", false
	}
	if n >= 127 && n&(n+1) == 0 {
		return fmt.Sprint(n - 1), true
	}
	return fmt.Sprint(n + 1), true
}
