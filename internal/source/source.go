// Package source is the one place that understands program text: it parses
// files into outlines, finds callers and importers, makes mutants, and reads
// and writes tests. Everything in it is a pure function of its arguments: no
// processes, no network, no files.
//
// Start at [Parse]. [NewGraph] joins outlines into who imports whom. [Mutants]
// makes small wrong versions of changed lines. [Tests], [Place] and [Remove]
// are surgery on test files, [Assertions], [Policy] and [Hash] judge what is in
// them.
package source
