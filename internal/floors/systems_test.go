package floors

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/org/qa-action/internal/testsupport/fixture"
)

// TestOtherSystems: the program is one for each system that a release is made for. Its
// types are looked at from source; compiling the library of Go and all modules for each
// would take ten times as long and say the same of our code.
func TestOtherSystems(t *testing.T) {
	fixture.WithoutRaceDetector(t)
	t.Parallel()
	for _, system := range []string{"darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			all, err := packages.Load(&packages.Config{
				Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedTypes,
				Env:  append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
			}, "../../cmd/qa")
			if err != nil {
				t.Fatal(err)
			}
			ours := 0
			packages.Visit(all, nil, func(p *packages.Package) {
				if strings.HasPrefix(p.PkgPath, module) {
					ours++
				}
				for _, e := range p.Errors {
					t.Error(e)
				}
			})
			if ours < 50 {
				t.Fatalf("only %d packages of ours looked at", ours)
			}
		})
	}
}
