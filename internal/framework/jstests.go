package framework

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Test files of the JavaScript family.

var (
	jsTest   = regexp.MustCompile(`[._-](?:test|spec)\.[cm]?[jt]sx?$`)
	jsFolder = regexp.MustCompile(`(?:^|/)__tests__/[^.][^/]*(?:/[^/]+)*\.[cm]?[jt]sx?$`)
	// mochaFolder is mocha's default place.
	mochaFolder = regexp.MustCompile(`(?:^|/)tests?/(?:[^/]+/)*[^/]+\.[cm]?[jt]sx?$`)
	jsAside     = regexp.MustCompile(`(?:^|/)(?:fixtures?|__fixtures__|__mocks__|support|helpers|node_modules)/`)
)

func isJSTest(file string) bool {
	return (jsTest.MatchString(file) || jsFolder.MatchString(file)) && !jsAside.MatchString(file)
}

func isMochaTest(file string) bool {
	return isJSTest(file) || mochaFolder.MatchString(file) && !jsAside.MatchString(file)
}

// flags keeps the options of a script's arguments and drops the positional
// ones, which limit a run to files. A word after an option that has no "=" may
// be its value and stays.
func flags(args []string) []string {
	var out []string
	for i, a := range args {
		option := strings.HasPrefix(a, "-")
		value := i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") && !valueless[args[i-1]]
		if option || value {
			out = append(out, a)
		}
	}
	return out
}

// valueless are common options that are followed by no value.
var valueless = map[string]bool{
	"--runInBand": true, "-i": true, "--globals": true, "--no-cache": true, "--detectOpenHandles": true, "--forceExit": true, "--logHeapUsage": true,
	"--exit": true, "--recursive": true, "--parallel": true, "--check-leaks": true, "--allow-uncaught": true, "--typecheck": true, "--no-file-parallelism": true,
	"--no-isolate": true, "--dom": true, "--inline-diffs": true, "--full-trace": true, "--colors": true, "--color": true, "--no-threads": true,
	"--allowOnly": true, "--runTestsByPath": true, "--clearCache": true, "--isolate": true, "--no-color": true, "--errorOnDeprecated": true,
}

// jsTestPath gives the adapter's TestPath with the habits of a project that has
// no tests yet: the folder beside the source, or "", and the suffix.
func jsTestPath(folder, suffix string) func(string, []string) string {
	return func(source string, existing []string) string {
		ext := path.Ext(source)
		stem := strings.TrimSuffix(path.Base(source), ext)
		named := func(test string) bool {
			base := strings.TrimSuffix(path.Base(test), path.Ext(test))
			return base == stem || slices.Contains([]string{".test", ".spec", "-test", "-spec", "_test", "_spec"}, strings.TrimPrefix(base, stem))
		}
		if own := nearest(source, existing, named); own != "" {
			return own
		}
		near := neighbours(source, existing)
		if len(near) == 0 {
			return path.Join(path.Dir(source), folder, stem+suffix+ext)
		}
		suffix := majority(near, func(test string) string {
			if m := jsTest.FindString(path.Base(test)); m != "" {
				return strings.TrimSuffix(m, path.Ext(m))
			}
			return ""
		})
		// A project may keep TypeScript sources and JavaScript tests.
		if testExt := majority(near, path.Ext); strings.HasPrefix(testExt, ".j") || strings.HasPrefix(testExt, ".m") || strings.HasPrefix(testExt, ".c") {
			if ext != ".jsx" && ext != ".tsx" {
				ext = testExt
			}
		}
		return path.Join(place(source, near), stem+suffix+ext)
	}
}
