package history

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"unicode/utf8"
)

// Badge draws an SVG badge: a label and the value beside it, with no reference
// to anything outside of it. Colour follows percent, 0 to 100; nil is grey and
// reads "unknown".
func Badge(label string, percent *float64) []byte {
	value, colour := "unknown", "#6e7781"
	if percent != nil {
		value, colour = fmt.Sprintf("%.0f %%", floor(*percent)), colourOf(*percent)
	}
	// Characters of an 11 pixel sans-serif are about 6.6 wide; textLength makes
	// up for what a font does differently.
	left, right := width(label), width(value)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[2]s: %[3]s">`+
		`<title>%[2]s: %[3]s</title>`, left+right, escape(label), escape(value))
	fmt.Fprintf(&b, `<clipPath id="r"><rect width="%d" height="20" rx="3"/></clipPath><g clip-path="url(#r)">`+
		`<rect width="%d" height="20" fill="#24292f"/><rect x="%d" width="%d" height="20" fill="%s"/></g>`, left+right, left, left, right, colour)
	b.WriteString(`<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`)
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text>`, left/2, left-12, escape(label))
	fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d">%s</text></g></svg>`+"\n", left+right/2, right-12, escape(value))
	return b.Bytes()
}

// floor keeps 99.99 from being shown as 100; what a division lost of a whole
// number, as in 100 × 0.29, is given back.
func floor(percent float64) float64 { return float64(int(min(max(percent+1e-9, 0), 100))) }

func width(s string) int { return utf8.RuneCountInString(s)*66/10 + 13 }

// colourOf gives colours on which white text has a contrast of 4.5 and more.
func colourOf(percent float64) string {
	switch {
	case percent >= 80:
		return "#1a7f37"
	case percent >= 60:
		return "#9a6700"
	}
	return "#cf222e"
}

func escape(s string) string {
	var b bytes.Buffer
	// A bytes.Buffer takes everything.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
