// Package sarif writes report.sarif.
package sarif

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/sink"
	"github.com/org/qa-action/internal/wording"
)

// Limits of the code host for one SARIF run; what is over them is dropped there
// without a word, so it is cut here and said.
const (
	sarifResults = 5_000
	sarifTags    = 10
	sarifText    = 1_000 // characters of a message
)

const (
	projectURL = "https://github.com/org/qa-action"
	rubricURL  = projectURL + "/blob/main/docs/severity.md"
)

// Render writes report.sarif (SARIF 2.1.0): the findings that stand on
// head, worst first. Suspected findings are left out because they never
// annotate; fixed and dismissed ones because the host closes what it does not
// see again.
func Render(w io.Writer, r *qa.Report, _ sink.Options) error {
	findings := extract.Selected(r.Findings, func(f qa.Finding) bool {
		return f.Evidence != qa.Suspected && f.Status != qa.StatusFixed && f.Status != qa.StatusDismissed && escape.SafePath(f.Path)
	})
	run := sarif.NewRunWithInformationURI("qa-action", projectURL)
	run.Tool.Driver.WithVersion(cmp.Or(wording.Plain(r.Manifest.Version), "dev"))
	run.AutomationDetails = sarif.NewRunAutomationDetails().WithID("qa-action/")
	run.ColumnKind = "unicodeCodePoints"
	invocation := run.AddInvocation(r.Result != qa.Inconclusive)
	if total := len(findings); total > sarifResults {
		findings = findings[:sarifResults]
		invocation.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("warning").
			WithTextMessage(fmt.Sprintf("%d of %d findings, worst first; the code host shows no more", sarifResults, total)))
	}
	rules := map[string]uint{}
	run.Results = []*sarif.Result{}
	seen := map[string]int{}
	for _, f := range findings {
		id := cmp.Or(wording.Line(f.Rule.ID, 200), "finding")
		at, known := rules[id]
		if !known {
			at = uint(len(rules))
			rules[id] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule(id, f))
		}
		sarifRaise(run.Tool.Driver.Rules[at], f)
		seen[f.Fingerprint]++
		run.Results = append(run.Results, sarifResult(id, at, f, seen[f.Fingerprint]))
	}
	report, err := sarif.New(sarif.Version210)
	if err != nil {
		return err
	}
	report.AddRun(run)
	return report.PrettyWrite(w)
}

// sarifRule describes the rule of the first finding that names it.
func sarifRule(id string, f qa.Finding) *sarif.ReportingDescriptor {
	help := f.Rule.URL
	if !strings.HasPrefix(help, "https://") && !strings.HasPrefix(help, "http://") || strings.ContainsAny(help, " \t\n\"<>") {
		help = rubricURL
	}
	name := cmp.Or(wording.Line(f.Rule.Name, 200), id)
	rule := sarif.NewRule(id).
		WithShortDescription(sarif.NewMultiformatMessageString(name)).
		WithHelpURI(help).
		WithHelp(sarif.NewMultiformatMessageString(name + ". See " + help)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevel(f.Severity)))
	tags := each.Of(f.Perspectives, func(p qa.Perspective) string { return string(p) })
	for _, cwe := range f.CWE {
		tags = append(tags, "external/cwe/"+strings.ToLower(wording.Line(cwe, 20)))
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	rule.Properties = sarif.Properties{"tags": tags[:min(len(tags), sarifTags)]}
	return rule
}

// sarifRaise gives a security rule the score of its worst finding, which the
// host turns into its own severity; findings come worst first.
func sarifRaise(rule *sarif.ReportingDescriptor, f qa.Finding) {
	if _, ok := rule.Properties["security-severity"]; !ok && slices.Contains(f.Perspectives, qa.Security) {
		rule.Properties["security-severity"] = map[qa.Severity]string{qa.Critical: "9.5", qa.High: "8.0", qa.Medium: "5.5"}[f.Severity]
		if rule.Properties["security-severity"] == "" {
			rule.Properties["security-severity"] = "2.0"
		}
	}
}

func sarifLevel(s qa.Severity) string {
	switch s {
	case qa.Critical, qa.High:
		return "error"
	case qa.Medium:
		return "warning"
	}
	return "note"
}

// sarifResult is one finding. n numbers findings of one fingerprint, which the
// host would otherwise take for one.
func sarifResult(rule string, index uint, f qa.Finding, n int) *sarif.Result {
	text := f.Message
	if f.Suggestion != "" {
		text += "\n" + f.Suggestion
	}
	// "](" would make a link of hostile text.
	text = cmp.Or(strings.ReplaceAll(escape.Paragraphs(text, sarifText), "](", "] ("), rule)
	region := sarif.NewSimpleRegion(max(f.Lines.Start, 1), max(f.Lines.End, f.Lines.Start, 1))
	if f.Column > 0 {
		region.WithStartColumn(f.Column)
	}
	result := sarif.NewRuleResult(rule).WithRuleIndex(int(index)).WithLevel(sarifLevel(f.Severity)).
		WithMessage(sarif.NewTextMessage(text)).
		WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
			WithArtifactLocation(sarif.NewArtifactLocation().WithUri(escape.Path(f.Path)).WithUriBaseId("%SRCROOT%")).
			WithRegion(region))})
	state := "unchanged"
	if f.Brought() {
		state = "new"
	}
	result.BaselineState = &state
	if f.Fingerprint != "" {
		result.PartialFingerprints = map[string]any{
			"primaryLocationLineHash": fmt.Sprintf("%s:%d", f.Fingerprint, n), // the one the host matches by
			"qaFingerprint/v1":        f.Fingerprint,
		}
	}
	if fix := f.Fix; fix != nil {
		inserted := ""
		for _, line := range fix.New {
			inserted += line + "\n"
		}
		// Whole lines, up to the first character of the one behind them.
		replacement := sarif.NewReplacement(sarif.NewRegion().WithStartLine(fix.Lines.Start).WithStartColumn(1).WithEndLine(fix.Lines.End + 1).WithEndColumn(1)).
			WithInsertedContent(sarif.NewArtifactContent().WithText(inserted))
		result.AddFix(sarif.NewFix().WithDescriptionText(cmp.Or(wording.Line(f.Suggestion, 200), "A mechanical fix.")).
			WithArtifactChanges([]*sarif.ArtifactChange{sarif.NewArtifactChange(sarif.NewArtifactLocation().WithUri(escape.Path(f.Path)).WithUriBaseId("%SRCROOT%")).WithReplacement(replacement)}))
	}
	result.Properties = sarif.Properties{"id": f.ID, "evidence": string(f.Evidence), "severity": string(f.Severity)}
	return result
}
