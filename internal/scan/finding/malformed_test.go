package finding

import (
	"strings"
	"testing"
)

func TestMalformedDismissalsSayWhere(t *testing.T) {
	t.Parallel()
	_, err := parseDismissals([]byte(`dismissals:
  - fingerprint: 0123456789abcdef
    reason: fine
  - fingerprint: 0123456789abcdef
    reason: again
  - fingerprint: nonsense
    reason: fine
  - fingerprint: 1123456789abcdef
  - fingerprint: 2123456789abcdef
    reason: fine
    expires: tomorrow
  - fingerprint: 3123456789abcdef
    reasno: typo
`))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"line 4: fingerprint 0123456789abcdef is dismissed twice",
		`line 6: fingerprint "nonsense" is not 16 hexadecimal digits`,
		"line 8: dismissing 1123456789abcdef needs a reason",
		`line 9: expires "tomorrow" is not a date`,
		`line 12: unknown key "reasno", valid keys are`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	if _, err := parseDismissals([]byte("dismissed: []\n")); err == nil {
		t.Error("an unknown key at the top is accepted")
	}
}

func FuzzParseDismissals(f *testing.F) {
	f.Add([]byte("dismissals:\n  - {fingerprint: 0123456789abcdef, reason: x}\n"))
	f.Add([]byte("dismissals: {a: b}"))
	f.Add([]byte("- [\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := parseDismissals(data)
		for print, d := range found {
			if err == nil && (len(print) != 16 || strings.TrimSpace(d.Reason) == "") {
				t.Errorf("accepted %q: %+v", print, d)
			}
		}
	})
}
