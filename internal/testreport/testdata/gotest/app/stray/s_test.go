package stray

import (
	"syscall"
	"testing"
)

func TestDone(t *testing.T) {}

func TestLeaves(t *testing.T) { syscall.Exit(0) }
