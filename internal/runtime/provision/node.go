package provision

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/runtime/toolchain"
)

// Platform names this machine as Node.js does: linux-x64.
func Platform() string {
	names := map[string]string{"amd64": "x64", "386": "x86", "windows": "win"}
	return cmp.Or(names[runtime.GOOS], runtime.GOOS) + "-" + cmp.Or(names[runtime.GOARCH], runtime.GOARCH)
}

// npmOf is the line of npm that comes with a line of Node.js.
var npmOf = map[string]string{"14": "6", "16": "8", "18": "10", "20": "10", "22": "10", "24": "11"}

// npmPackage is the short form of a registry's answer.
type npmPackage struct {
	Versions map[string]struct {
		Dist npmDist `json:"dist"`
	} `json:"versions"`
}

type npmDist struct {
	Tarball   string `json:"tarball"`
	Integrity string `json:"integrity"`
	Shasum    string `json:"shasum"`
}

func (s Store) npmRegistry() string {
	return s.address("https://registry.npmjs.org", "npm_config_registry", "NPM_CONFIG_REGISTRY")
}

func (s Store) npmVersions(ctx context.Context, name string) (npmPackage, []string, error) {
	var p npmPackage
	err := s.list(ctx, index{name, s.npmRegistry() + "/" + strings.ReplaceAll(name, "/", "%2f"), "application/vnd.npm.install-v1+json", 256 << 20}, &p)
	return p, slices.Sorted(maps.Keys(p.Versions)), err
}

// unpackNPM fetches a package's archive, checks it against the registry's sum
// and against the pinned one, if any, and unpacks it.
func (s Store) unpackNPM(ctx context.Context, d npmDist, pinned, dir string) error {
	data, err := s.get(ctx, d.Tarball, "", maxArchive)
	if err != nil {
		return err
	}
	algorithm, sum := "sha1", d.Shasum
	if a, encoded, ok := strings.Cut(strings.Fields(d.Integrity + " ")[0], "-"); ok {
		raw, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return fmt.Errorf("integrity %q: %w", d.Integrity, err)
		}
		algorithm, sum = a, hex.EncodeToString(raw)
	}
	if err := checkSum(data, algorithm, sum); err != nil {
		return err
	}
	if a, sum, ok := strings.Cut(pinned, "."); ok {
		if err := checkSum(data, a, sum); err != nil {
			return fmt.Errorf("packageManager: %w", err)
		}
	}
	return untar(bytes.NewReader(data), dir)
}

// Node provisions Node.js with its npm. The one on PATH does when it fits.
func (s Store) Node(ctx context.Context, want toolchain.Want) (Tool, error) {
	if t, ok := s.onPath(ctx, "node"); ok && !toolchain.Newest(want.Spec) {
		_, noNPM := os.Stat(filepath.Join(t.Bin, "npm"))
		if _, err := toolchain.PickNode(want.Spec, []string{t.Version}); err == nil && noNPM == nil {
			t.Source = want.Source
			return t, nil
		}
	}
	if mirror := environ.Lookup(s.env, "NODEJS_ORG_MIRROR"); mirror != "" {
		return s.nodeFromMirror(ctx, want, strings.TrimSuffix(mirror, "/"))
	}
	p, versions, err := s.npmVersions(ctx, "node-"+Platform())
	if err != nil {
		return Tool{}, err
	}
	version, err := toolchain.PickNode(want.Spec, versions)
	if err != nil {
		return Tool{}, err
	}
	dir, cached, err := s.make("node", version, func(dir string) error {
		if err := s.unpackNPM(ctx, p.Versions[version].Dist, "", dir); err != nil {
			return err
		}
		npm, versions, err := s.npmVersions(ctx, "npm")
		if err != nil {
			return err
		}
		major, _, _ := strings.Cut(version, ".")
		own, err := toolchain.PickSemver("npm", npmOf[major], versions)
		if err != nil {
			return err
		}
		return s.addPackage(ctx, dir, "npm", npm.Versions[own].Dist, "")
	})
	return Tool{Name: "node", Version: version, Source: want.Source, Cached: cached, Bin: filepath.Join(dir, "bin")}, err
}

// nodeFromMirror uses a copy of the official distribution, which has npm in it.
func (s Store) nodeFromMirror(ctx context.Context, want toolchain.Want, mirror string) (Tool, error) {
	var all []struct {
		Version string `json:"version"`
	}
	if err := s.list(ctx, index{"node", mirror + "/index.json", "", 16 << 20}, &all); err != nil {
		return Tool{}, err
	}
	var versions []string
	for _, v := range all {
		versions = append(versions, strings.TrimPrefix(v.Version, "v"))
	}
	version, err := toolchain.PickNode(want.Spec, versions)
	if err != nil {
		return Tool{}, err
	}
	dir, cached, err := s.make("node", version, func(dir string) error {
		file := fmt.Sprintf("node-v%s-%s.tar.gz", version, Platform())
		sums, err := s.get(ctx, mirror+"/v"+version+"/SHASUMS256.txt", "", 1<<20)
		if err != nil {
			return err
		}
		archive, err := s.get(ctx, mirror+"/v"+version+"/"+file, "", maxArchive)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(sums)) {
			if fields := strings.Fields(line); len(fields) == 2 && fields[1] == file {
				if err := checkSum(archive, "sha256", fields[0]); err != nil {
					return err
				}
				return untar(bytes.NewReader(archive), dir)
			}
		}
		return fmt.Errorf("no sum for %s in SHASUMS256.txt", file)
	})
	return Tool{Name: "node", Version: version, Source: want.Source, Cached: cached, Bin: filepath.Join(dir, "bin")}, err
}

// addPackage unpacks a package into a prefix and links its programs.
func (s Store) addPackage(ctx context.Context, prefix, name string, d npmDist, pinned string) error {
	dir := filepath.Join(prefix, "lib", "node_modules", filepath.FromSlash(name))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := s.unpackNPM(ctx, d, pinned, dir); err != nil {
		return err
	}
	return linkPrograms(prefix, dir)
}

// linkPrograms does what a global installation does with "bin".
func linkPrograms(prefix, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return err
	}
	var p struct {
		Name string          `json:"name"`
		Bin  json.RawMessage `json:"bin"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("package.json of %s: %w", filepath.Base(dir), err)
	}
	bins := map[string]string{}
	if json.Unmarshal(p.Bin, &bins) != nil {
		var one string
		if err := json.Unmarshal(p.Bin, &one); err != nil {
			return fmt.Errorf("package.json of %s: bin: %w", p.Name, err)
		}
		bins[filepath.Base(p.Name)] = one
	}
	if err := os.MkdirAll(filepath.Join(prefix, "bin"), 0o755); err != nil {
		return err
	}
	for name, file := range bins {
		if !filepath.IsLocal(file) || filepath.Base(name) != name {
			return fmt.Errorf("package.json of %s: bin %q leads out of the package", p.Name, name)
		}
		target := filepath.Join(dir, filepath.FromSlash(file))
		rel, err := filepath.Rel(filepath.Join(prefix, "bin"), target)
		if err != nil {
			return err
		}
		if err := os.Chmod(target, 0o755); err != nil {
			return err
		}
		if err := os.Symlink(rel, filepath.Join(prefix, "bin", name)); err != nil {
			return err
		}
	}
	return nil
}

// Manager provisions what package.json or the lockfile asks for. The npm
// that comes with Node.js does unless another one is pinned.
func (s Store) Manager(ctx context.Context, m toolchain.Manager) (*Tool, error) {
	if m.Name == "npm" && m.Version.Spec == "" {
		return nil, nil
	}
	name, spec := m.Name, m.Version.Spec
	switch {
	case strings.HasPrefix(spec, "http"):
		if _, err := url.Parse(spec); err == nil {
			return nil, fmt.Errorf("packageManager %s@%s: a version is needed, not an address", name, spec)
		}
	case m.Name == "yarn" && !strings.HasPrefix(strings.TrimLeft(spec, "^~v="), "1"):
		name = "@yarnpkg/cli-dist"
	case m.Name == "bun":
		name = "@oven/bun-" + Platform()
	}
	p, versions, err := s.npmVersions(ctx, name)
	if err != nil {
		return nil, err
	}
	version, err := toolchain.PickSemver(m.Name, spec, versions)
	if err != nil {
		return nil, err
	}
	dist := p.Versions[version].Dist
	dir, cached, err := s.make(m.Name, version, func(dir string) error {
		if m.Name != "bun" {
			return s.addPackage(ctx, dir, name, dist, m.Hash)
		}
		// The platform's package is the program itself; the pin is that of the package that
		// only fetches this one.
		if err := s.unpackNPM(ctx, dist, "", dir); err != nil {
			return err
		}
		return os.Symlink("bun", filepath.Join(dir, "bin", "bunx"))
	})
	if err != nil {
		return nil, err
	}
	return &Tool{Name: m.Name, Version: version, Source: m.Version.Source, Cached: cached, Bin: filepath.Join(dir, "bin")}, nil
}

// NeedsNode is the range of Node.js in which a tool of npm's registry runs; empty where
// it names none.
func (t Tool) NeedsNode() string {
	modules := filepath.Join(filepath.Dir(t.Bin), "lib", "node_modules")
	for _, name := range []string{t.Name, filepath.Join("@yarnpkg", "cli-dist")} {
		data, err := os.ReadFile(filepath.Join(modules, name, "package.json"))
		var p struct {
			Engines struct {
				Node string `json:"node"`
			} `json:"engines"`
		}
		if err == nil && json.Unmarshal(data, &p) == nil {
			return p.Engines.Node
		}
	}
	return ""
}
