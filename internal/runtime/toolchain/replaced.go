package toolchain

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/pattern"
)

// What tests are run and judged with can be put in the place of the real one by a
// manifest that says where it comes from: a folder of the project, a patch, another
// package, another address. A version of it says nothing of the kind.

// judges are packages that run tests or compare for them.
const judges = `(?:@(?:jest|vitest|ava|tapjs|sinonjs|testing-library|playwright)/[\w.-]+|(?:vitest|jest|mocha|ava|tape|tap|jasmine|karma|borp|chai|expect|should|sinon|c8|nyc|vite|esbuild|tsx|ts-node|ts-jest|ts-mocha|babel|power-assert|assert)(?:-[\w.-]+)?)`

var (
	judge   = pattern.New(`^` + judges + `$`)
	judging = pattern.New(`(?:^|/)node_modules/` + judges + `/|(?:^|/)site-packages/(?:_?(?:pytest|pluggy|iniconfig|coverage|hypothesis|nose|unittest|mock|assertpy)[\w.-]*(?:/|\.py$)|[\w.-]+\.pth$|(?:site|user)customize\.)`)
	// elsewhere is a version that is none: where else a package is to come from.
	elsewhere   = pattern.New(`^(?:file|link|portal|patch|exec|npm|git[\w+]*|https?|github|gitlab|bitbucket|gist):|^\.{0,2}/|^git@|^[\w.-]+/[\w.-]+(?:#|$)|\.(?:tgz|patch|diff)$`)
	pnpmReplace = pattern.New(`^\s*["']?(?:[^"':]*[>/])?` + judges + `(?:@[^"':]*)?["']?\s*:\s*["']?(?:(?:file|link|portal|patch|npm|git[\w+]*|https?|github):|\.{0,2}/|[^"'\s]+\.(?:patch|diff|tgz))`)
	pyReplace   = pattern.New(`(?i)^\s*["']?_?(?:pytest|pluggy|iniconfig|coverage|hypothesis|nose|tox|nox|unittest|mock|assertpy)[\w.-]*["']?\s*(?:\[[^\]]*\]\s*)?(?:@|=\s*\{.*\b(?:path|url|git|file|index|workspace)\s*=)`)
)

// Judges reports whether an installed file, slash separated, is one of what runs tests
// or compares for them, or one that an interpreter loads before all others.
func Judges(file string) bool { return judging.MatchString(file) }

// replacedPackages are lines of a package.json that put something in the place of
// what runs or judges tests, and its own name where it is such a package.
func replacedPackages(data []byte) []byte {
	var p map[string]any
	if json.Unmarshal(data, &p) != nil {
		return nil // who reads it says so
	}
	var out []byte
	if name, _ := p["name"].(string); judge.MatchString(name) {
		out = append(out, "name "+name+"\n"...)
	}
	pnpm, _ := p["pnpm"].(map[string]any)
	for _, part := range []any{p["dependencies"], p["devDependencies"], p["optionalDependencies"], p["peerDependencies"], p["overrides"], p["resolutions"], pnpm["overrides"], pnpm["patchedDependencies"]} {
		out = replacing(out, part, "", maxReplaced)
	}
	return out
}

// maxReplaced is how deep overrides are looked through.
const maxReplaced = 20

func replacing(out []byte, part any, of string, depth int) []byte {
	switch part := part.(type) {
	case map[string]any:
		if depth == 0 {
			return append(out, "too deep to be looked through\n"...)
		}
		for _, key := range slices.Sorted(maps.Keys(part)) {
			name := key
			if key == "." {
				name = of
			}
			out = replacing(out, part[key], name, depth-1)
		}
	case string:
		if judge.MatchString(packageOf(of)) && elsewhere.MatchString(part) {
			out = append(out, of+" "+part+"\n"...)
		}
	}
	return out
}

// packageOf is the package that a key of overrides is about: behind those it is in,
// without a version.
func packageOf(key string) string {
	if i := strings.LastIndexByte(key, '>'); i >= 0 {
		key = key[i+1:]
	}
	if i := strings.LastIndexByte(key, '@'); i > 0 {
		key = key[:i]
	}
	parts := strings.Split(key, "/")
	if n := len(parts); n > 1 && strings.HasPrefix(parts[n-2], "@") {
		return parts[n-2] + "/" + parts[n-1]
	} else if n > 1 {
		return parts[n-1]
	}
	return key
}
