package setup

import (
	"testing"

	_ "example.com/app/does/not/exist"
)

func TestX(t *testing.T) {}
