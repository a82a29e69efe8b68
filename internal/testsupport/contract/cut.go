//go:build ignore

// Command cut takes from GitHub's OpenAPI description the operations that this
// package uses, with every schema they refer to and no prose.
//
//	npm pack @octokit/openapi@23.0.2 && tar xf octokit-openapi-23.0.2.tgz
//	go run internal/testsupport/contract/cut.go \
//	  < package/generated/api.github.com.json \
//	  > internal/testsupport/contract/api.github.com.json
package main

import (
	"encoding/json"
	"log"
	"os"
	"slices"
	"strings"
)

// used lists the operations, by method and path.
var used = map[string][]string{
	"/repos/{owner}/{repo}/pulls":                               {"get", "post"},
	"/repos/{owner}/{repo}/pulls/{pull_number}":                 {"get", "patch"},
	"/repos/{owner}/{repo}/pulls/{pull_number}/files":           {"get"},
	"/repos/{owner}/{repo}/pulls/{pull_number}/comments":        {"get"},
	"/repos/{owner}/{repo}/pulls/{pull_number}/reviews":         {"post"},
	"/repos/{owner}/{repo}/pulls/comments/{comment_id}":         {"patch", "delete"},
	"/repos/{owner}/{repo}/compare/{basehead}":                  {"get"},
	"/repos/{owner}/{repo}/issues/{issue_number}/comments":      {"get", "post"},
	"/repos/{owner}/{repo}/issues/comments/{comment_id}":        {"patch", "delete"},
	"/repos/{owner}/{repo}/check-runs":                          {"post"},
	"/repos/{owner}/{repo}/check-runs/{check_run_id}":           {"patch"},
	"/repos/{owner}/{repo}/commits/{ref}/check-runs":            {"get"},
	"/repos/{owner}/{repo}/collaborators/{username}/permission": {"get"},
	"/repos/{owner}/{repo}/branches/{branch}":                   {"get"},
	"/repos/{owner}/{repo}/rules/branches/{branch}":             {"get"},
	"/repos/{owner}/{repo}/git/blobs":                           {"post"},
	"/repos/{owner}/{repo}/git/blobs/{file_sha}":                {"get"},
	"/repos/{owner}/{repo}/git/trees":                           {"post"},
	"/repos/{owner}/{repo}/git/trees/{tree_sha}":                {"get"},
	"/repos/{owner}/{repo}/git/commits":                         {"post"},
	"/repos/{owner}/{repo}/git/commits/{commit_sha}":            {"get"},
	"/repos/{owner}/{repo}/git/ref/{ref}":                       {"get"},
	"/repos/{owner}/{repo}/git/refs":                            {"post"},
	"/repos/{owner}/{repo}/git/refs/{ref}":                      {"patch", "delete"},
	"/repos/{owner}/{repo}/commits":                             {"get"},
	"/user":                                                     {"get"},
}

// prose is left out; descriptions stay, which a valid response must have.
var prose = []string{"summary", "example", "examples", "externalDocs", "tags", "title"}

func main() {
	var doc map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&doc); err != nil {
		log.Fatal(err)
	}
	paths := map[string]any{}
	for path, methods := range used {
		all, ok := doc["paths"].(map[string]any)[path].(map[string]any)
		if !ok {
			log.Fatalf("no path %s", path)
		}
		kept := map[string]any{}
		for _, m := range methods {
			kept[m] = clean(all[m], false)
		}
		paths[path] = kept
	}
	out := map[string]any{"openapi": doc["openapi"], "info": map[string]any{"title": "api.github.com, cut", "version": "1"}, "paths": paths}
	components := map[string]map[string]any{}
	var follow func(v any)
	follow = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				follow(e)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				part := strings.Split(strings.TrimPrefix(ref, "#/components/"), "/")
				if components[part[0]] == nil {
					components[part[0]] = map[string]any{}
				}
				if _, done := components[part[0]][part[1]]; !done {
					c := clean(doc["components"].(map[string]any)[part[0]].(map[string]any)[part[1]], false)
					components[part[0]][part[1]] = c
					follow(c)
				}
			}
			for _, e := range v {
				follow(e)
			}
		}
	}
	follow(paths)
	out["components"] = components
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		log.Fatal(err)
	}
}

// clean drops prose and extensions. names says that the keys of v are names of
// properties, not keywords.
func clean(v any, names bool) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = clean(v[i], false)
		}
	case map[string]any:
		for key, e := range v {
			if !names && (slices.Contains(prose, key) || strings.HasPrefix(key, "x-")) {
				delete(v, key)
				continue
			}
			v[key] = clean(e, !names && key == "properties")
		}
	}
	return v
}
