package gotest

import "strings"

func PackageFailure(output string) string {
	switch {
	case strings.Contains(output, "[build failed]"):
		return "build"
	case strings.Contains(output, "[setup failed]"):
		return "setup"
	}
	return "crash"
}
