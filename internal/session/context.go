package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

var marks = map[Status]string{Completed: "[DONE]", Failed: "[FAIL]", Skipped: "[SKIP]", Pending: "[OPEN]"}

// summary is a session as people read it.
type summary struct {
	meta   Meta
	rows   table
	rounds Rounds
	board  []discovery
	said   []Message
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
	s.writeBoard(&b)
	s.writeMessages(&b)
	s.writeWaves(&b)
	return b.String()
}

func (s summary) score() string {
	for _, t := range s.rows {
		if t.Role == "analyst" && t.QualityScore != nil {
			return fmt.Sprintf("%d/100", *t.QualityScore)
		}
	}
	return unknown
}

func (s summary) writeFindings(b *strings.Builder) {
	head := "\n## Findings\n\n"
	for _, t := range s.rows {
		if t.Role != "scout" || t.Status != Completed {
			continue
		}
		fmt.Fprintf(b, "%s**%s**: %s issues\n", head, markdown(t.Title), cmp.Or(whole(t.IssuesFound), unknown))
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
			percent(t.CoverageAchieved), percent(t.CoverageTarget), cmp.Or(decimal(t.PassRate), unknown), s.rounds.Rounds[t.Layer])
	}
}

// shownOfType is how many discoveries of one type, and how many messages, people are
// shown; the files have all.
const (
	shownOfType   = 5
	shownMessages = 30
)

// writeBoard shows what tasks found out for each other, by type.
func (s summary) writeBoard(b *strings.Builder) {
	if len(s.board) == 0 {
		return
	}
	b.WriteString("\n## Discoveries\n")
	for _, kind := range knownTypes() {
		of := slices.DeleteFunc(slices.Clone(s.board), func(d discovery) bool { return d.Type != kind })
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n**%s** (%d)\n\n", markdown(kind), len(of))
		for _, d := range of[:min(len(of), shownOfType)] {
			var parts []string
			for _, field := range discoveryTypes[kind].fields {
				if v := d.Data[field]; v != nil && v != "" {
					parts = append(parts, field+" "+fmt.Sprint(v))
				}
			}
			fmt.Fprintf(b, "- %s: %s\n", markdown(d.Worker), markdown(wording.Cut(strings.Join(parts, ", "), maxFindings)))
		}
		if more := len(of) - shownOfType; more > 0 {
			fmt.Fprintf(b, "- and %d more in %s\n", more, boardFile)
		}
	}
}

// writeMessages shows what roles reported, oldest first.
func (s summary) writeMessages(b *strings.Builder) {
	if len(s.said) == 0 {
		return
	}
	b.WriteString("\n## Messages\n\n")
	if more := len(s.said) - shownMessages; more > 0 {
		fmt.Fprintf(b, "%d earlier ones are in %s.\n\n", more, messagesFile)
	}
	for _, m := range s.said[max(0, len(s.said)-shownMessages):] {
		fmt.Fprintf(b, "- %s to %s, %s: %s\n", markdown(m.ID), markdown(m.To), markdown(m.Type), markdown(m.Summary))
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
		return unknown
	}
	return decimal(v) + " %"
}

// unknown stands for what nobody measured or noted.
const unknown = "unknown"

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u200b", "!", `\!`,
)

// markdown makes text of unknown origin a piece of one line.
func markdown(s string) string { return markdownEscapes.Replace(wording.Fold(wording.Plain(s))) }
