package hangs

import (
	"testing"
	"time"
)

func TestDone(t *testing.T) {}

func TestHangs(t *testing.T) { time.Sleep(time.Hour) }
