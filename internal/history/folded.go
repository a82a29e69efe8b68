package history

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/org/qa-action/internal/qa"
)

// folded is a digest as it is written. A run and its base have nearly the same tests and
// files: names of tests stand once for both, in order, each as far as it differs from the
// one before, and of base's files those that are not as in the run.
type folded struct {
	Digest
	Names []string `json:"names,omitempty"`
	// Run and Was have a letter for each name, by target of the run and of its base.
	Run map[string]string `json:"run,omitempty"`
	Was map[string]string `json:"was,omitempty"`
	// Alike says that base has the files of the run but for Gone.
	Alike bool     `json:"alike,omitempty"`
	Gone  []string `json:"gone,omitempty"`
}

// outcomes are the letters of a suite's lists; absent is that of a test it does not have.
const (
	outcomes = "pfsx"
	absent   = '-'
)

func (s *Suite) lists() []*[]string { return []*[]string{&s.Passed, &s.Failed, &s.Skipped, &s.Flaky} }

// fold writes a digest shorter.
func (d Digest) fold() folded {
	out := folded{Digest: d}
	all := map[string]bool{}
	for _, b := range []*Baseline{d.Baseline, d.Base} {
		if b == nil {
			continue
		}
		for _, s := range b.Suites {
			for _, list := range s.lists() {
				for _, id := range *list {
					all[id] = utf8.ValidString(id) // what JSON would write otherwise
				}
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, valid bool) bool { return !valid })
	names := slices.Sorted(maps.Keys(all))
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	out.Names = shortened(names)
	out.Digest.Baseline, out.Run = d.Baseline.marked(at)
	out.Digest.Base, out.Was = d.Base.marked(at)
	if d.Baseline != nil && d.Base != nil && len(d.Base.Files) > 0 {
		out.Alike = true
		own := maps.Clone(d.Base.Files)
		for file, count := range d.Baseline.Files {
			switch was, ok := own[file]; {
			case !ok:
				out.Gone = append(out.Gone, file)
			case was == count:
				delete(own, file)
			}
		}
		slices.Sort(out.Gone)
		out.Digest.Base.Files = own
	}
	return out
}

// marked is a baseline, and a letter for each name in place of the lists of its suites. A
// name that a suite has more than once stays in them.
func (b *Baseline) marked(at map[string]int) (*Baseline, map[string]string) {
	if b == nil {
		return nil, nil
	}
	out, marks := *b, map[string]string{}
	out.Suites = maps.Clone(b.Suites)
	for target, s := range out.Suites {
		letters := []byte(strings.Repeat(string(absent), len(at)))
		for i, list := range s.lists() {
			var rest []string
			for _, id := range *list {
				n, ok := at[id]
				if !ok || letters[n] != absent {
					rest = append(rest, id)
					continue
				}
				letters[n] = outcomes[i]
			}
			*list = rest
		}
		out.Suites[target], marks[target] = s, string(letters)
	}
	return &out, marks
}

// unfold is the way back of [Digest.fold].
func (f folded) unfold() (Digest, error) {
	names, err := lengthened(f.Names)
	if err != nil {
		return Digest{}, err
	}
	d := f.Digest
	for _, part := range []struct {
		of    *Baseline
		marks map[string]string
	}{{d.Baseline, f.Run}, {d.Base, f.Was}} {
		for target, letters := range part.marks {
			if part.of == nil || len(letters) != len(names) {
				return Digest{}, errors.New("read digest: names and outcomes do not fit")
			}
			s := part.of.Suites[target]
			for i, list := range s.lists() {
				var own []string
				for n, letter := range []byte(letters) {
					if letter == outcomes[i] {
						own = append(own, names[n])
					}
				}
				*list = append(own, *list...)
			}
			if part.of.Suites == nil {
				part.of.Suites = map[string]Suite{}
			}
			part.of.Suites[target] = s
		}
	}
	if f.Alike && d.Baseline != nil && d.Base != nil {
		own := d.Base.Files
		if d.Base.Files = maps.Clone(d.Baseline.Files); d.Base.Files == nil {
			d.Base.Files = map[string]qa.Count{}
		}
		for _, file := range f.Gone {
			delete(d.Base.Files, file)
		}
		maps.Copy(d.Base.Files, own)
	}
	return d, nil
}

// digits count how many bytes a name shares with the one before it.
const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// shortened are sorted names, each with a digit for what it shares with the one before.
func shortened(names []string) []string {
	out := make([]string, len(names))
	last := ""
	for i, name := range names {
		n := 0
		for n < min(len(last), len(name), len(digits)-1) && last[n] == name[n] {
			n++
		}
		for n > 0 && n < len(name) && !utf8.RuneStart(name[n]) { // no letter is cut in two
			n--
		}
		out[i] = digits[n:n+1] + name[n:]
		last = name
	}
	return out
}

// lengthened is the way back of [shortened]; what would become too much is an error.
func lengthened(short []string) ([]string, error) {
	out := make([]string, len(short))
	last, size := "", 0
	for i, text := range short {
		n := -1
		if text != "" {
			n = strings.IndexByte(digits, text[0])
		}
		if n < 0 || n > len(last) {
			return nil, errors.New("read digest: a name begins like none before it")
		}
		last = last[:n] + text[1:]
		if size += len(last); size > maxUnpacked {
			return nil, errors.New("read digest: names are too long")
		}
		out[i] = last
	}
	return out, nil
}
