package a

import (
	"fmt"
	"os"
)

func Clean(name string) string {
	os.Remove(name)
	return fmt.Sprintf("removed %d", name)
}
