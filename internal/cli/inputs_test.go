package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/config"
)

// shownBy names, for every input, every key that only the config file has and
// every key of a package, the test that fails when nothing reads it: a script, or a
// file of tests, and what it says of the input.
var shownBy = map[string]struct{ file, says string }{
	"task":                   {"soundness/bad-scripts.txtar", `--task`},
	"mode":                   {"plan.txtar", `--mode discovery`},
	"depth":                  {"plan.txtar", `--depth`},
	"scope":                  {"inputs.txtar", `--scope all`},
	"base":                   {"soundness/not-run.txtar", `--base`},
	"working-directory":      {"e2e/merge.txtar", `--working-directory a`},
	"config":                 {"inputs.txtar", `--config engines.yml`},
	"github-token":           {"../../internal/cli/harness_test.go", `INPUT_GITHUB-TOKEN`},
	"comment":                {"../../internal/cli/events_test.go", `INPUT_COMMENT`},
	"annotations":            {"../../internal/cli/events_test.go", `INPUT_ANNOTATIONS`},
	"review-comments":        {"../../internal/cli/review_test.go", `INPUT_REVIEW-COMMENTS`},
	"model-base-url":         {"doctor.txtar", `--model-base-url`},
	"model-api-key":          {"../../internal/cli/doctor_test.go", `model-api-key`},
	"model":                  {"doctor.txtar", `--model `},
	"model-fallback":         {"inputs.txtar", `--model-fallback second`},
	"model-budget":           {"inputs.txtar", `--model-budget 10`},
	"model-timeout":          {"e2e/model-unreachable.txtar", `--model-timeout`},
	"on-model-failure":       {"e2e/model-unusable.txtar", `--on-model-failure`},
	"perspectives":           {"e2e/model-midway.txtar", `--perspectives`},
	"min-severity":           {"scan.txtar", `--min-severity`},
	"max-findings":           {"soundness/scan.txtar", `--max-findings 1`},
	"framework":              {"soundness/own-command.txtar", `--framework command`},
	"test-command":           {"soundness/own-command.txtar", `--test-command 'make -s check'`},
	"test-report":            {"inputs.txtar", `--test-report`},
	"coverage-file":          {"e2e/merge-parts.txtar", `coverage-file`},
	"setup-command":          {"e2e/base-remembered.txtar", `setup-command`},
	"e2e-command":            {"soundness/targets.txtar", `(?m)^e2e-command: exit 7`},
	"install":                {"dependencies-missing.txtar", `--install`},
	"runtime":                {"dependencies-missing.txtar", `--runtime`},
	"runtime-image":          {"../../internal/cli/places_e2e_test.go", `runtime-image`},
	"coverage-targets":       {"soundness/targets.txtar", `--coverage-targets L1=50`},
	"fail-on":                {"soundness/scan.txtar", `--fail-on findings`},
	"deliver":                {"../../internal/cli/deliver_e2e_test.go", `--deliver|INPUT_DELIVER`},
	"concurrency":            {"../../internal/pipeline/run_test.go", `Concurrency: `},
	"target-concurrency":     {"e2e/beside.txtar", `--target-concurrency 2`},
	"tests":                  {"e2e/impacted.txtar", `--tests impacted`},
	"shard":                  {"../../internal/cli/merge_e2e_test.go", `"--shard"`},
	"timeout":                {"soundness/e2e/base-cut.txtar", `--timeout`},
	"task-timeout":           {"e2e/endless.txtar", `--task-timeout`},
	"max-rounds":             {"e2e/model-jest-testing.txtar", `--max-rounds`},
	"max-fix-iterations":     {"../../internal/role/assurance/repair_e2e_test.go", `MaxRepairs`},
	"repeat":                 {"e2e/model-midway.txtar", `--repeat`},
	"continue":               {"session-planted.txtar", `--continue`},
	"history":                {"e2e/merge.txtar", `--history none`},
	"output-dir":             {"output-escapes.txtar", `--output-dir`},
	"accept-untrusted-event": {"../../internal/cli/events_test.go", `INPUT_ACCEPT-UNTRUSTED-EVENT`},
	"accept-weak-isolation":  {"trust/e2e/no-sandbox.txtar", `accept-weak-isolation`},

	"targets":      {"soundness/targets.txtar", `(?m)^targets:`},
	"exclude":      {"inputs.txtar", `(?m)^exclude: `},
	"engines":      {"inputs.txtar", `(?m)^engines:`},
	"instructions": {"inputs.txtar", `(?m)^instructions:`},
	"quarantine":   {"e2e/history.txtar", `quarantine:`},
	"prices":       {"inputs.txtar", `(?m)^prices:`},

	"targets name":             {"../../internal/targets/check_test.go", `name: first`},
	"targets dir":              {"soundness/targets.txtar", `- dir: a`},
	"targets framework":        {"soundness/targets.txtar", `    framework: pytest`},
	"targets test-command":     {"soundness/targets.txtar", `    test-command: `},
	"targets test-report":      {"../../internal/targets/check_test.go", `test-report: own.xml`},
	"targets coverage-file":    {"../../internal/targets/check_test.go", `coverage-file: own.info`},
	"targets setup-command":    {"soundness/targets.txtar", `    setup-command: `},
	"targets e2e-command":      {"soundness/targets.txtar", `    e2e-command: node`},
	"targets install":          {"../../internal/runtime/package_test.go", `Install: "never"`},
	"targets coverage-targets": {"soundness/targets.txtar", `    coverage-targets: L1=100`},
}

// TestEveryInputAndKeyTakesEffect: what can be configured has a test that sees the
// difference, and the table has nothing else.
func TestEveryInputAndKeyTakesEffect(t *testing.T) {
	t.Parallel()
	keys := slices.Concat(config.Names(), config.FileKeys())
	for _, f := range reflect.VisibleFields(reflect.TypeFor[config.Target]()) {
		if key := f.Tag.Get("yaml"); key != "-" {
			keys = append(keys, "targets "+key)
		}
	}
	for _, key := range keys {
		by, ok := shownBy[key]
		if !ok {
			t.Errorf("%s: no test shows that it takes effect", key)
			continue
		}
		raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "script", filepath.FromSlash(by.file)))
		assert.NilError(t, err, key)
		if !regexp.MustCompile(by.says).Match(raw) {
			t.Errorf("%s: %s does not say %q", key, by.file, by.says)
		}
	}
	for key := range shownBy {
		assert.Assert(t, slices.Contains(keys, key), "%s is no input and no key", key)
	}
}
