package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/org/qa-action/internal/each"
)

// Sources are where inputs come from, strongest first.
type Sources struct {
	Flags  Inputs
	Getenv func(string) string
	// File is the config file's content, nil when there is none; FileName is
	// how messages call it.
	File     []byte
	FileName string
}

// value is one input's text with the place it was set at, for messages.
type value struct {
	text  string
	where string
}

// Name is the input's name of a field: the name tag, else its kebab case.
func Name(f reflect.StructField) string {
	if n := f.Tag.Get("name"); n != "" {
		return n
	}
	var b strings.Builder
	for i, r := range f.Name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Given is an input that was set.
type Given struct{ Name, Text string }

// Given are the inputs that are set and that a config file may hold: nothing
// secret, and nothing that only one run is about.
func (i Inputs) Given() []Given {
	var out []Given
	from := reflect.ValueOf(i)
	for f := range fields() {
		name, text := Name(f), from.FieldByIndex(f.Index).String()
		once := name == "base" || name == "config" || name == "task" || name == "continue"
		if text != "" && !once && !slices.Contains(secretInputs, name) {
			out = append(out, Given{name, text})
		}
	}
	return out
}

// EnvName is the variable an action input arrives in.
func EnvName(input string) string { return "INPUT_" + strings.ToUpper(input) }

// Names lists all inputs in declaration order.
func Names() []string {
	var out []string
	for f := range fields() {
		out = append(out, Name(f))
	}
	return out
}

// Shown is how a default is said in a sentence.
func Shown(fallback string) string {
	if fallback == "." { // with the full stop it would be the parent directory
		return "the root"
	}
	return fallback
}

// valid are the values that an input may have, nil for any.
func valid(input string) []string {
	for f := range fields() {
		if oneof := f.Tag.Get("oneof"); Name(f) == input && oneof != "" {
			return strings.Split(oneof, ",")
		}
	}
	return nil
}

func fields() func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(reflect.TypeFor[Inputs]()) {
			if !f.Anonymous && !yield(f) {
				return
			}
		}
	}
}

// Load merges the sources and validates the result. The error joins every
// problem found; the Config is then unusable.
func Load(s Sources) (*Config, error) {
	file, problems := parseFile(s.File, s.FileName)
	values := map[string]value{}
	flags := reflect.ValueOf(s.Flags)
	for f := range fields() {
		name := Name(f)
		v := value{text: flags.FieldByIndex(f.Index).String(), where: "flag --" + name}
		if v.text == "" && s.Getenv != nil {
			v = value{text: strings.TrimSpace(s.Getenv(EnvName(name))), where: "input " + name}
		}
		if v.text == "" {
			v = file.inputs[name]
		}
		if v.text == "" {
			v = value{text: f.Tag.Get("fallback"), where: "default of " + name}
		}
		if valid := valid(name); valid != nil && v.text != "" && !slices.Contains(valid, v.text) {
			problems = append(problems, fmt.Errorf("%s: unknown value %q, expected one of %s", v.where, v.text, strings.Join(valid, ", ")))
		}
		if f.Type == reflect.TypeFor[Bool]() && v.text != "true" && v.text != "false" {
			problems = append(problems, fmt.Errorf("%s: %q is not a boolean, expected true or false", v.where, v.text))
		}
		values[name] = v
	}
	p := &parser{values: values, problems: problems}
	c := p.config()
	c.Targets, c.Exclude, c.Engines, c.Instructions = file.targets, file.exclude, file.engines, file.instructions
	c.Model.Prices, c.Quarantine = file.prices, file.quarantine
	p.checkQuarantine(c)
	p.checkGlobs(c)
	p.checkTargets(c)
	return c, errors.Join(p.problems...)
}

// Digest identifies the configuration for resume: everything that changes what
// a run does, and nothing that is secret or only about publishing.
func (c Config) Digest() string {
	c.GithubToken, c.Model.APIKey, c.Workflow = "", "", nil
	c.Comment, c.Annotations, c.ReviewComments, c.Continue = false, false, false, false
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", c)) // fmt prints maps in key order
	return hex.EncodeToString(sum[:8])
}

// Everything has all tests run where what runs is no pull request: somebody has to see
// the whole.
func (c *Config) Everything(yes bool) {
	if yes {
		c.Learn, c.Tests = c.Tests == Impacted, "all"
	}
}

// Secrets lists the values that must never be printed.
func (c Config) Secrets() []string {
	return each.Where([]string{c.GithubToken, c.Model.APIKey}, func(s string) bool { return s != "" })
}
