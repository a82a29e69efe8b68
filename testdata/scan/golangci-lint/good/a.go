package a

import (
	"fmt"
	"os"
)

func Clean(name string) (string, error) {
	if err := os.Remove(name); err != nil {
		return "", err
	}
	return fmt.Sprintf("removed %s", name), nil
}
