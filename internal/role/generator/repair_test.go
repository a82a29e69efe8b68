package generator

import (
	"context"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/llm"
)

// A test whose form alone is refused needs no second look at what it tests.
func TestFormIsAskedForAlone(t *testing.T) {
	t.Parallel()
	r := Refused{Subject: subject(), Candidate: Candidate{Test: Test{Name: "TestTake", Lane: Hardening, Code: "func TestTake() {}"}}, Why: "G2: " + Objection + "max-len", Form: true}
	var asked llm.Request
	m := Model{Mend: func(_ context.Context, r llm.Request) (Correction, error) {
		asked = r
		return Correction{Wrong: "test", Test: Test{Code: "func TestTake() {\n}"}}, nil
	}}
	again, product, err := m.Repair(t.Context(), r)
	assert.NilError(t, err)
	assert.Assert(t, !product && again.Code == "func TestTake() {\n}")
	assert.Assert(t, strings.Contains(asked.Prompt, "max-len") && !strings.Contains(asked.Prompt, "File take.go"), asked.Prompt)
}
