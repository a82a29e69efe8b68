package runtime

import (
	"context"
	"io"
	"time"
)

// Options say what to open. Root is required; the zero value of everything else
// is a sensible default.
type Options struct {
	// Driver is auto, image, job-container, container or host; empty is auto.
	Driver string
	// Root is the checkout: absolute, never written to.
	Root string
	// Scratch is the directory for private copies. When the user that the code
	// runs as cannot reach it, a directory below the system's temporary one is
	// taken instead.
	Scratch string
	// Cache keeps toolchains and package downloads between runs. Empty is
	// $RUNNER_TEMP/qa-cache, or a directory below the temporary one.
	Cache string
	// Env is the environment to choose from, "K=V"; nil is ours.
	Env []string
	// Secrets are values that must not appear in any output.
	Secrets []string
	// AcceptWeak runs the code even where it could read the secrets.
	AcceptWeak bool
	// Hide lists absolute paths that the code must not read, beside those that
	// the workflow runner's variables name.
	Hide []string
	// Install is auto (where what the tests need is missing), always or never;
	// empty is auto.
	Install string
	// Dir is the directory, relative to Root, whose toolchain and dependencies
	// are meant; empty is the root.
	Dir string
	// Caches are the names of folders in which test runners note what they have
	// seen: they stay out of the copy, as those of the languages do.
	Caches []string
	Preparation
	Containers
	// Limits bound what one command may use.
	Limits Limits
	// Log sees what is being prepared, one line each; nil is nowhere.
	Log io.Writer
}

// Preparation is what is done in a workspace beside the installation, and what may be
// kept of it.
type Preparation struct {
	// Setup are commands run after the installation, in Dir.
	Setup [][]string
	// Packages are those beside Dir that are made ready as well.
	Packages []Package
	// Workflows are the workflow files of base by their paths from the root, of which
	// is learnt how the repository tests itself; of the checkout where it has no base.
	Workflows map[string][]byte
	// Base is the commit that everything is compared with, empty where there is none:
	// what its lock files say of downloads is believed.
	Base string
	// GoTests tells, of a copy in which nothing ran yet, how its tests in Go will be
	// run, so that they can be compiled before. With nil, what all in Dir needs of
	// others is compiled when that is new.
	GoTests func(ctx context.Context, w *Workspace) []GoTest
	// Trusted says that the checkout is of the branch that everything is compared
	// with: what its installation fetched may serve later runs.
	Trusted bool
}

// Package is a directory, relative to the root, with dependencies and setup commands of
// its own. Of Python all tests share one environment: Dir's, else that of the first
// package that says what it has.
type Package struct {
	Dir     string
	Install string // as Options.Install
	Found   bool   // nobody named it: what cannot be installed for it stops no other
	Setup   [][]string
}

// Containers are those that commands may run in.
type Containers struct {
	// Image is the image of the container driver.
	Image string
	// JobContainer is the id of the job's container, empty when it has none.
	JobContainer string
}

// Network says whom a command may talk to.
type Network string

// The network policies; the zero value is NetworkFull.
const (
	NetworkFull     Network = ""
	NetworkLoopback Network = "loopback"
)

// Command is one program to run in a workspace.
type Command struct {
	Argv []string
	// Dir is relative to the workspace's root; empty is the root.
	Dir string
	// Env is added to the allow-listed environment, "K=V".
	Env []string
	// Script is the script of package.json of which the command is a part; nil is none.
	Script *Script
	// Timeout of zero is none beyond the context's.
	Timeout   time.Duration
	MaxOutput int64 // see process.Command
	Live      io.Writer
	Stdin     io.Reader // may be nil
	// Stdout is a file that gets the standard output, uncapped: absolute, below
	// the workspace's Results or Dir.
	Stdout string
	// Network is NetworkLoopback for code that no person of the project wrote.
	Network  Network
	Services bool // with the databases of the workflow's job, where they can be started
}
