// Package clock reads and writes times of day. It has no tests.
package clock

import "fmt"

// Format writes minutes since midnight as 15:04.
func Format(minutes int) string {
	return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
}

// Parse reads 15:04.
func Parse(text string) (int, error) {
	var h, m int
	if _, err := fmt.Sscanf(text, "%d:%d", &h, &m); err != nil {
		return 0, fmt.Errorf("parse time %q: %w", text, err)
	}
	if h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, fmt.Errorf("parse time %q: out of range", text)
	}
	return h*60 + m, nil
}
