package reporter

import (
	"fmt"
	"strings"

	"github.com/org/qa-action/internal/wording"
)

// score prints every term, so that the number can be added up by hand.
func (p page) score() section {
	sc := p.r.Score
	if sc.Value == nil && len(sc.Terms) == 0 {
		return section{}
	}
	title := "Score unknown"
	if sc.Value != nil {
		title = fmt.Sprintf("Score %d/100: how it adds up", *sc.Value)
	}
	s := section{title: "score terms", noun: "score terms", rank: 3, share: 0.08}
	s.open, s.close = p.fold(title)
	if sc.Cap != "" {
		s.open += "Capped: " + prose(sc.Cap, 200) + "\n\n"
	}
	s.open += "| Points | Term | Detail |\n|---:|---|---|\n"
	for _, t := range sc.Terms {
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s | %s |\n", points(t.Points), prose(t.Name, 60), prose(t.Detail, 240))})
	}
	return s
}

// recommendations as the analyst gave them.
func (p page) recommendations() section {
	if len(p.r.Recommendations) == 0 {
		return section{}
	}
	s := section{title: "recommendations", noun: "recommendations", rank: 4, share: 0.08}
	s.open, s.close = p.fold(wording.Count(len(p.r.Recommendations), "recommendation"))
	for _, text := range p.r.Recommendations {
		s.items = append(s.items, item{full: "- " + prose(text, 400) + "\n"})
	}
	return s
}

// patterns are defects of one kind that came up more than once.
func (p page) patterns() section {
	if len(p.r.Patterns) == 0 {
		return section{}
	}
	s := section{title: "defect patterns", noun: "defect patterns", rank: 6, share: 0.08}
	s.open, s.close = p.fold(wording.Count(len(p.r.Patterns), "defect pattern"))
	for _, d := range p.r.Patterns {
		var files []string
		for _, f := range d.Files {
			files = append(files, code(f, 80))
		}
		text := fmt.Sprintf("- **%s** ×%d: %s<br>In %s", prose(d.Type, 60), d.Count, prose(d.Description, 300), strings.Join(firsts(files, 5), ", "))
		if d.Common != "" {
			text += " (" + prose(d.Common, 100) + ")"
		}
		if d.Recommendation != "" {
			text += "<br>**Do:** " + prose(d.Recommendation, 300)
		}
		s.items = append(s.items, item{full: text + "\n"})
	}
	return s
}

// effectiveness says per layer whether its tests did their work.
func (p page) effectiveness() section {
	s := section{title: "test effectiveness", noun: "layers", rank: 6}
	s.open, s.close = p.fold("Test effectiveness")
	s.open += "| Layer | Pass rate | Iterations | Rounds | Effective |\n|---|---|---|---|---|\n"
	for _, l := range p.r.Coverage.Layers {
		if l.State != "measured" {
			continue
		}
		word := "no"
		if l.Effective {
			word = "yes"
		}
		s.items = append(s.items, item{full: fmt.Sprintf("| %s %s | %s | %d | %d | %s |\n",
			prose(string(l.Layer), 8), prose(l.Name, 20), ratePercent(l.PassRate), l.Iterations, l.Rounds, word)})
	}
	if len(s.items) == 0 {
		return section{}
	}
	return s
}

// strategy says what was decided to be tested and why.
func (p page) strategy() section {
	st := p.r.Strategy
	if len(st.Layers)+len(st.Focus) == 0 {
		return section{}
	}
	s := section{title: "strategy", noun: "focus functions", rank: 7, share: 0.1}
	s.open, s.close = p.fold("Test strategy")
	var b strings.Builder
	if len(st.Layers) > 0 {
		b.WriteString("| Layer | Selected | Target | Why |\n|---|---|---|---|\n")
		for _, l := range st.Layers {
			selected := "no"
			if l.Selected {
				selected = "yes"
			}
			fmt.Fprintf(&b, "| %s %s | %s | %s %% | %s |\n", prose(string(l.Layer), 8), prose(l.Name, 20), selected,
				hundredths(int64(l.Target*100+0.5)), prose(l.Rationale, 200))
		}
		b.WriteString("\n")
	}
	if st.Notes != "" {
		b.WriteString("Model's risk notes: " + prose(st.Notes, 1000) + "\n\n")
	}
	if len(st.Focus) > 0 {
		b.WriteString("| Risk | Function | Place | Reasons |\n|---:|---|---|---|\n")
	}
	s.open += b.String()
	for _, f := range st.Focus {
		s.items = append(s.items, item{full: fmt.Sprintf("| %s | %s | %s | %s |\n", hundredths(int64(f.Risk*100)),
			code(f.Symbol, 80), p.place(f.Path, f.Lines), prose(strings.Join(firsts(f.Reasons, 6), "; "), 240))})
	}
	return s
}
