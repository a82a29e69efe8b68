package gh

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/testsupport/contract"
)

func finish(t *testing.T, c *Client, sha string, place Place, text, carry string) {
	t.Helper()
	k, err := c.StartCheck(t.Context(), CheckSpec{Name: "QA " + place.ID(), SHA: sha, Place: place})
	assert.NilError(t, err)
	_, err = k.Complete(t.Context(), qa.CheckOutput{Title: "t", Summary: "s", Text: text, Carry: carry, Conclusion: "success"})
	assert.NilError(t, err)
}

func TestCheckRunsCarry(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	c, _ := connect(t, s)
	got, err := c.Carried(t.Context(), s.Base, here)
	assert.NilError(t, err)
	assert.Equal(t, got, "")
	most := strings.Repeat("A", MaxCarry)
	finish(t, c, s.Base, here, strings.Repeat("é", maxField), most)
	assert.Assert(t, len(s.Checks[0].Text) <= maxField)
	got, err = c.Carried(t.Context(), s.Base, here)
	assert.NilError(t, err)
	assert.Equal(t, got, most)
	// Another workflow measured base; another package is another matter.
	got, err = c.Carried(t.Context(), s.Base, Place{Workflow: "nightly", Job: "j", Key: here.Key})
	assert.NilError(t, err)
	assert.Equal(t, got, most)
	got, err = c.Carried(t.Context(), s.Base, Place{Workflow: here.Workflow, Job: here.Job, Key: "packages/web"})
	assert.NilError(t, err)
	assert.Equal(t, got, "")
}

func TestAncestors(t *testing.T) {
	t.Parallel()
	s := contract.New(t)
	for i := range 150 {
		s.Mainline = append(s.Mainline, fmt.Sprintf("%040x", i+1))
	}
	c, _ := connect(t, s)
	got, err := c.Ancestors(t.Context(), s.Mainline[10])
	assert.NilError(t, err)
	assert.DeepEqual(t, got, s.Mainline[10:110])
	got, err = c.Ancestors(t.Context(), s.Mainline[149])
	assert.NilError(t, err)
	assert.DeepEqual(t, got, s.Mainline[149:])
	_, err = c.Ancestors(t.Context(), s.Head)
	assert.ErrorContains(t, err, "404")
}

// TestWhatIsNotCarried: of another app, of a person's status, under way, spoofed
// in the text that people wrote, or too much.
func TestWhatIsNotCarried(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*contract.Check){
		"another app":    func(k *contract.Check) { k.App = "evil-app" },
		"under way":      func(k *contract.Check) { k.Status, k.Conclusion = "in_progress", "" },
		"another tool":   func(k *contract.Check) { k.ExternalID = "lint:" + k.ExternalID },
		"another key":    func(k *contract.Check) { k.ExternalID += "x" },
		"cut":            func(k *contract.Check) { k.Text = strings.TrimSuffix(k.Text, carryEnd+"\n") },
		"larger":         func(k *contract.Check) { k.Text = carryStart + strings.Repeat("A", MaxCarry+1) + carryEnd },
		"nothing at all": func(k *contract.Check) { k.Text = "" },
	} {
		for _, known := range []bool{true, false} { // whether we have a check run of our own
			s := contract.New(t)
			c, _ := connect(t, s)
			finish(t, c, s.Base, here, "text", "carried")
			spoil(&s.Checks[0])
			if !known {
				c, _ = connect(t, s)
			}
			got, err := c.Carried(t.Context(), s.Base, here)
			assert.NilError(t, err)
			assert.Equal(t, got, "", name)
		}
	}
	assert.Equal(t, carried(carrying("see "+carryStart+"spoofed"+carryEnd, "true")), "true")
	for _, bad := range []string{"a --> b", "two\nlines", strings.Repeat("A", MaxCarry+1)} {
		assert.Equal(t, carrying("text", bad), "text")
	}
}
