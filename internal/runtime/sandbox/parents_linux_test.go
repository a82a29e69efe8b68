package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

func TestSecretInParents(t *testing.T) {
	t.Parallel()
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid()))
	if err != nil {
		t.Skip("the parent cannot be read")
	}
	first, _, _ := bytes.Cut(env, []byte{0})
	if got := secretInParents([]string{"", string(first)}); got != fmt.Sprintf("process %d", os.Getppid()) {
		t.Errorf("found in %q", got)
	}
	if got := secretInParents([]string{"", "no such value anywhere 5f1d"}); got != "" {
		t.Errorf("found in %q", got)
	}
}
