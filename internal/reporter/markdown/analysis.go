package markdown

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/each"
	"github.com/org/qa-action/internal/qa"
	"github.com/org/qa-action/internal/reporter/escape"
	"github.com/org/qa-action/internal/reporter/extract"
	"github.com/org/qa-action/internal/reporter/fit"
	"github.com/org/qa-action/internal/reporter/number"
	"github.com/org/qa-action/internal/wording"
)

// score prints every term, so that the number can be added up by hand.
func scoreSection(p page) fit.Section {
	sc := p.r.Score
	if sc.Value == nil && len(sc.Terms) == 0 {
		return fit.Section{}
	}
	title := "Score unknown"
	if sc.Value != nil {
		title = fmt.Sprintf("Score %d/100: how it adds up", *sc.Value)
	}
	s := fit.Section{Title: "score terms", Noun: "score terms", Rank: 3, Share: 0.08}
	s.Open, s.Close = p.fold(title)
	if sc.Cap != "" {
		s.Open += "Capped: " + escape.Prose(sc.Cap, 200) + "\n\n"
	}
	s.Open += "| Points | Term | Detail |\n|---:|---|---|\n"
	for _, t := range sc.Terms {
		s.Items = append(s.Items, fit.Item{Full: fmt.Sprintf("| %s | %s | %s |\n", number.Points(t.Points), escape.Prose(t.Name, 60), escape.Prose(t.Detail, 240))})
	}
	return s
}

// recommendations as the analyst gave them.
func recommendationsSection(p page) fit.Section {
	s := fit.Section{Title: "recommendations", Noun: "recommendations", Rank: 4, Share: 0.08}
	return listed(p, s, wording.Count(len(p.r.Recommendations), "recommendation"), p.r.Recommendations, func(text string) string {
		return "- " + escape.Prose(text, 400) + "\n"
	})
}

// patterns are defects of one kind that came up more than once.
func patternsSection(p page) fit.Section {
	s := fit.Section{Title: "defect patterns", Noun: "defect patterns", Rank: 6, Share: 0.08}
	return listed(p, s, wording.Count(len(p.r.Patterns), "defect pattern"), p.r.Patterns, func(d qa.Pattern) string {
		files := each.Of(d.Files, func(f string) string { return escape.Code(f, 80) })
		text := fmt.Sprintf("- **%s** ×%d: %s<br>In %s", escape.Prose(d.Type, 60), d.Count, escape.Prose(d.Description, 300), strings.Join(extract.Firsts(files, 5), ", "))
		if d.Common != "" {
			text += " (" + escape.Prose(d.Common, 100) + ")"
		}
		if d.Recommendation != "" {
			text += "<br>**Do:** " + escape.Prose(d.Recommendation, 300)
		}
		return text + "\n"
	})
}

// effectiveness says per layer whether its tests did their work, and what generated
// ones added where there are some.
func effectivenessSection(p page) fit.Section {
	s := fit.Section{Title: "test effectiveness", Noun: "layers", Rank: 6}
	s.Open, s.Close = p.fold("Test effectiveness")
	for _, l := range p.r.Coverage.Layers {
		if l.State != "measured" {
			continue
		}
		word := "no"
		if l.Effective {
			word = "yes"
		}
		if points, gain := l.Gain(); gain != "" {
			word += fmt.Sprintf("; generated tests added %s points of patch coverage: %s", number.Points(points), gain)
		}
		s.Items = append(s.Items, fit.Item{Full: fmt.Sprintf("| %s %s | %s | %d | %d | %s |\n",
			escape.Prose(string(l.Layer), 8), escape.Prose(l.Name, 20), number.RatePercent(l.PassRate), l.Iterations, l.Rounds, word)})
	}
	if len(s.Items) == 0 {
		return fit.Section{}
	}
	s.Open += "| Layer | Pass rate | Iterations | Rounds | Effective |\n|---|---|---|---|---|\n"
	return s
}

// strategy says what was decided to be tested and why.
func strategySection(p page) fit.Section {
	st := p.r.Strategy
	if len(st.Layers)+len(st.Focus) == 0 {
		return fit.Section{}
	}
	s := fit.Section{Title: "strategy", Noun: "focus functions", Rank: 7, Share: 0.1}
	s.Open, s.Close = p.fold("Test strategy")
	var b strings.Builder
	if len(st.Layers) > 0 {
		b.WriteString("| Layer | Selected | Target | Why |\n|---|---|---|---|\n")
		for _, l := range st.Layers {
			selected := "no"
			if l.Selected {
				selected = "yes"
			}
			fmt.Fprintf(&b, "| %s %s | %s | %s %% | %s |\n", escape.Prose(string(l.Layer), 8), escape.Prose(l.Name, 20), selected,
				number.Hundredths(int64(l.Target*100+0.5)), escape.Prose(l.Rationale, 200))
		}
		b.WriteString("\n")
	}
	if st.Notes != "" {
		b.WriteString("Model's risk notes: " + escape.Prose(st.Notes, 1000) + "\n\n")
	}
	if len(st.Focus) > 0 {
		b.WriteString("| Risk | Function | Place | Reasons |\n|---:|---|---|---|\n")
	}
	s.Open += b.String()
	for _, f := range st.Focus {
		s.Items = append(s.Items, fit.Item{Full: fmt.Sprintf("| %s | %s | %s | %s |\n", number.Hundredths(int64(f.Risk*100)),
			escape.Code(f.Symbol, 80), p.place(f.Path, f.Lines), escape.Prose(strings.Join(extract.Firsts(f.Reasons, 6), "; "), 240))})
	}
	return s
}
