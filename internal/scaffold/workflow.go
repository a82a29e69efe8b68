package scaffold

import (
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// Actions of others, pinned as in our own workflows.
const (
	checkout    = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"
	setupGo     = "actions/setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0"
	setupNode   = "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0"
	setupPython = "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0"
	upload      = "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0"
)

const triggers = `name: QA
on:
  pull_request:
  merge_group: # without it a merge queue would wait for this check forever
`

const oneJob = `permissions:
  contents: read
  pull-requests: write # the comment; forks get a token that only reads, and the report in the job summary
  checks: write # the annotations
concurrency:
  group: qa-${{ github.ref }}
  cancel-in-progress: true # a newer push makes the older run moot
jobs:
  qa:
    name: QA # make this the required check
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: ` + checkout + `
        with:
          persist-credentials: false # the tests must not find the token
          fetch-depth: 2 # the test merge and both of its parents
`

const keep = `      - if: always() && steps.qa.outputs.report-dir != ''
        uses: ` + upload + `
        with:
          name: qa
          path: ${{ steps.qa.outputs.report-dir }}
`

const perPackage = `permissions: {}
jobs:
  # A job for each package, and one that joins them into one report. The check to
  # require is "qa / QA".
  qa:
    uses: org/qa-action/.github/workflows/qa.yml@v1
    permissions:
      contents: read
      pull-requests: write
      checks: write
`

// workflow is the workflow file.
func (p Project) workflow() string {
	text := p.found()
	if p.matrix() {
		return text + triggers + perPackage
	}
	if len(p.packages()) > 1 {
		text += "# One job runs all of them; `qa init --matrix` writes a job for each.\n"
	}
	text += triggers + oneJob
	if why := p.host(); why != "" {
		text += p.setups() + "      # On the runner: " + why + ".\n      - id: qa\n        uses: org/qa-action/host@v1\n"
	} else {
		text += "      - id: qa\n        uses: org/qa-action@v1\n"
	}
	return text + keep
}

// plainVersion is a version or a range of versions, and no expression of Actions.
var plainVersion = pattern.New(`^[0-9A-Za-z.*<>=^~|/ -]{1,60}$`)

// setups are the toolchains that the runner is to have.
func (p Project) setups() string {
	var b strings.Builder
	for _, t := range p.Tools {
		uses, ok := map[string]string{"go": setupGo, "node": setupNode, "python": setupPython}[t.Name]
		if !ok || !plainVersion.MatchString(t.Spec) {
			continue // the runner has a recent one
		}
		b.WriteString("      - uses: " + uses + "\n        with:\n          " + t.Name + "-version: " + quoted(t.Spec) + " # " + line(t.Source) + "\n")
	}
	return b.String()
}
