package session

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

var marks = map[Status]string{Completed: "[DONE]", Failed: "[FAIL]", Skipped: "[SKIP]", Pending: "[OPEN]"}

// summary is a session as people read it.
type summary struct {
	meta   Meta
	rows   table
	rounds Rounds
}

// text is context.md, in Markdown.
func (s summary) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# QA session %s\n\n", s.meta.ID)
	fmt.Fprintf(&b, "**Date**: %s\n**Mode**: %s\n**Quality score**: %s\n\n", s.meta.Created, s.meta.Mode, s.score())
	b.WriteString("## Summary\n\n| Status | Count |\n|--------|-------|\n")
	for _, status := range []Status{Completed, Failed, Skipped, Pending} {
		n := 0
		for _, t := range s.rows {
			if t.Status == status {
				n++
			}
		}
		fmt.Fprintf(&b, "| %s | %d |\n", status, n)
	}
	s.writeFindings(&b)
	s.writeLayers(&b)
	s.writeWaves(&b)
	return b.String()
}

func (s summary) score() string {
	for _, t := range s.rows {
		if t.Role == "analyst" && t.QualityScore != nil {
			return fmt.Sprintf("%d/100", *t.QualityScore)
		}
	}
	return "unknown"
}

func (s summary) writeFindings(b *strings.Builder) {
	head := "\n## Findings\n\n"
	for _, t := range s.rows {
		if t.Role != "scout" || t.Status != Completed {
			continue
		}
		fmt.Fprintf(b, "%s**%s**: %s issues\n", head, markdown(t.Title), orUnknown(whole(t.IssuesFound)))
		if t.Findings != "" {
			fmt.Fprintf(b, "%s\n", markdown(wording.Cut(t.Findings, maxFindings)))
		}
		head = "\n"
	}
}

func (s summary) writeLayers(b *strings.Builder) {
	b.WriteString("\n## Coverage\n\n| Layer | Task | Coverage | Target | Pass rate | Rounds |\n|-------|------|----------|--------|-----------|--------|\n")
	for _, t := range s.rows {
		if t.Role != "executor" {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %d |\n", t.Layer, t.ID,
			percent(t.CoverageAchieved), percent(t.CoverageTarget), orUnknown(decimal(t.PassRate)), s.rounds.Rounds[t.Layer])
	}
}

func (s summary) writeWaves(b *strings.Builder) {
	b.WriteString("\n## Waves\n")
	last := 0
	for _, t := range s.rows {
		last = max(last, t.Wave)
	}
	for wave := 0; wave <= last; wave++ {
		head := fmt.Sprintf("\n### Wave %d\n\n", wave)
		if wave == 0 {
			head = "\n### Not started\n\n"
		}
		for _, t := range s.rows {
			if t.Wave != wave {
				continue
			}
			fmt.Fprintf(b, "%s- %s **%s** %s [%s]", head, marks[t.Status], t.ID, markdown(t.Title), strings.TrimSuffix(t.Role+"/"+t.Layer, "/"))
			head = ""
			for _, text := range []string{wording.Cut(t.Findings, maxFindings), wording.Cut(t.Error, maxFindings)} {
				if text != "" {
					b.WriteString(": " + markdown(text))
				}
			}
			b.WriteByte('\n')
		}
	}
}

func percent(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return decimal(v) + " %"
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u200b", "!", `\!`,
)

// markdown makes text of unknown origin a piece of one line.
func markdown(s string) string { return markdownEscapes.Replace(wording.Fold(wording.Plain(s))) }
