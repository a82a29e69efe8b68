package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Digest tells inputs apart, each of them and where one ends.
func Digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Segment makes a name a path segment, another one for every name.
func Segment(name string) string {
	lossy := false
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_':
			return c
		case c == '/':
			return '+'
		}
		lossy = true
		return '-'
	}, name)
	switch {
	case name == "" || name == ".":
		return "root"
	case lossy || name == "root":
		return safe + "+" + Digest([]byte(name))[:6]
	}
	return safe
}
