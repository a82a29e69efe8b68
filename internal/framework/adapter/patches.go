package adapter

import (
	"bytes"

	"github.com/org/qa-action/internal/pattern"
)

// patches are lines that put something in the place of what tests compare with, or of
// what takes tests in, or say how much those try that draw their inputs. Whoever wants can
// write this in other words.
var patches = pattern.New(`\b(?:assert(?:\.strict)?|chai\.\w+)(?:\.\w+|\[[^\]]+\])\s*=[^=>]|\bglobal(?:This)?(?:\.|\[["'])(?:expect|assert|it|test|describe)(?:["']\])?\s*=[^=]|\bexpect\.extend\(|\bTestCase\.\w+\s*=[^=]|\bunittest\.\w+\.\w+\s*=[^=]` +
	`|\b(?:Object\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\.(?:set|defineProperty)|(?:spyOn|stub|replace|method)) *\(\s*(?:assert|chai|expect)\b` +
	`|\b(?:setattr|patch\.object|patch) *\(\s*["']?(?:unittest|\w*TestCase)\b` +
	`|\bAssertion\.(?:prototype\b|(?:add|overwrite)\w+ *\()|\boverwrite(?:Chainable)?Method *\(|\b(?:(?:load|register)_profile|configureGlobal) *\(`)

// Patches are those lines of a file of the product.
func Patches(data []byte) []byte { return Lines(data, patches) }

// WithoutPatches is the file without them.
func WithoutPatches(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if !patches.Match(line) {
			out = append(out, line...)
		}
	}
	return out
}

var asserts = pattern.New(`\bassert|\bexpect *\(|\.should\b|\brequire\.\w+\(t\b|\b\w{1,2}\.(?:Error|Fatal|Fail)`)

// Asserts reports whether a file of tests, or of what they have in common, asserts something.
func Asserts(data []byte) bool { return asserts.Match(data) }
