// Command eval runs the product on the changes of testdata/eval, many of which
// carry a known defect, and prints how well it did. Start at run.
//
// Every case is a pull request laid out on disk; the built qa runs on it as in
// a workflow, its report.json is read, and the tests it wrote are run against
// the mended code. What the numbers mean is in docs/evaluation.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/org/qa-action/bench/repo"
)

// evaluation is what the command was told.
type evaluation struct {
	folders
	endpoint
	runs          []string
	parallel      int
	record, again bool
	only          string
	telling
}

// telling is where and how an evaluation says what it saw.
type telling struct {
	out      io.Writer
	markdown bool
	tell     string // folder for the conversations; none without
	price    price
}

// price is what a million tokens of questions and of answers cost, in USD.
type price struct{ prompt, completion float64 }

func (p *price) String() string { return fmt.Sprintf("%g,%g", p.prompt, p.completion) }

func (p *price) Set(text string) error {
	_, err := fmt.Sscanf(text, "%g,%g", &p.prompt, &p.completion)
	if err == nil && (p.prompt < 0 || p.completion < 0) {
		err = errors.New("a price is not below 0")
	}
	return err
}

type folders struct{ set, projects, program, work, clones, installed string }

type endpoint struct{ model, baseURL, key, modelTimeout string }

func main() {
	repo.Main("eval", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, out io.Writer) error {
	e := evaluation{telling: telling{out: out}}
	flags := flag.NewFlagSet("eval", flag.ContinueOnError)
	flags.StringVar(&e.set, "set", "testdata/eval", "folder of the cases")
	flags.StringVar(&e.projects, "projects", "testdata/repo", "folder of the sample projects, whose dependencies are used")
	flags.StringVar(&e.program, "qa", "bin/qa", "the program to evaluate")
	flags.StringVar(&e.work, "work", "", "folder to work in, kept afterwards; default: a temporary one")
	flags.StringVar(&e.clones, "clones", "", "folder with clones of the libraries, for a set that is a list of their commits")
	flags.StringVar(&e.installed, "installed", filepath.Join(".cache", "eval"), "folder that keeps what is installed for these libraries")
	flags.StringVar(&e.only, "only", "", "regular expression of the cases to run")
	flags.IntVar(&e.parallel, "parallel", runtime.NumCPU(), "cases at once")
	names := flags.String("runs", "run1", "recorded runs below SET/replies")
	flags.StringVar(&e.model, "model", "", "model to ask instead of the recorded replies")
	flags.StringVar(&e.baseURL, "model-base-url", "", "endpoint of the model")
	flags.StringVar(&e.key, "model-api-key", os.Getenv("QA_MODEL_API_KEY"), "key of the endpoint; default: $QA_MODEL_API_KEY")
	flags.StringVar(&e.modelTimeout, "model-timeout", "2m", "how long one reply of the model may take; people who answer take longer")
	flags.BoolVar(&e.record, "record", false, "keep the model's replies below SET/replies")
	flags.BoolVar(&e.again, "again", false, "judge what an earlier call left in the folder of -work, without running the product")
	flags.BoolVar(&e.markdown, "markdown", false, "print the numbers as the table of docs/evaluation.md")
	flags.StringVar(&e.tell, "tell", "", "write the conversations with the model, for people, into this folder")
	flags.Var(&e.price, "price", "USD for a million tokens of questions and of answers, as \"1.5,6\": print what the runs cost")
	checkOnly := flags.Bool("check", false, "only look whether the cases are what they say")
	plain := flags.Bool("plain", false, "run the product without a model and print what it saw of the tests")
	if err := flags.Parse(args); err != nil {
		return err
	}
	e.runs = strings.Split(*names, ",")
	if err := repo.Absolute(&e.set, &e.projects, &e.program, &e.clones, &e.installed, &e.work); err != nil {
		return err
	}
	if e.work == "" {
		dir, err := os.MkdirTemp("", "qa-eval-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		e.work = dir
	}
	cases, err := readCases(e.set, e.only)
	if err != nil {
		return err
	}
	switch {
	case *checkOnly:
		return e.checkAll(ctx, cases)
	case *plain:
		return e.plain(ctx, cases)
	}
	return e.evaluate(ctx, cases)
}

var verdictOf = map[bool]string{true: "is what it says", false: "is not what it says"}

func (e *evaluation) checkAll(ctx context.Context, cases []change) error {
	errs := make([]error, len(cases))
	repo.Each(len(cases), e.parallel, func(i int) {
		if err := e.check(ctx, cases[i], filepath.Join(e.work, "check", cases[i].ID)); err != nil {
			errs[i] = fmt.Errorf("case %s: %w", cases[i].ID, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", cases[i].ID, verdictOf[errs[i] == nil])
	})
	err := errors.Join(errs...)
	if err == nil {
		fmt.Fprintf(e.out, "%d cases are what they say\n", len(cases))
	}
	return err
}
