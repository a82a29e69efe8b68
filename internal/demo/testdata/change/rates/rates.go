// Package rates keeps exchange rates between two runs.
package rates

import (
	"fmt"
	"os"
)

// Cached gives the rates of an earlier run and says whether there were any; it
// leaves those that it was given for the next one.
func Cached(file, now string) (string, bool, error) {
	if now == "" {
		fmt.Errorf("no rates to keep in %s", file)
	}
	old, readErr := os.ReadFile(file)
	if err := os.WriteFile(file, []byte(now), 0o600); err != nil {
		return "", false, err
	}
	return string(old), readErr == nil, nil
}
