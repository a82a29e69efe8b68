package container

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/org/qa-action/internal/ci"
	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/wording"
)

// databases are the services that are started, by the last part of their image's
// name: a line for their shell that ends well once the server answers, and its port.
var databases = map[string]struct {
	ready string
	port  int
}{
	"postgres":    {readyPostgres, 5432},
	"postgis":     {readyPostgres, 5432},
	"pgvector":    {readyPostgres, 5432},
	"timescaledb": {readyPostgres, 5432},
	"mysql":       {readyMySQL, 3306},
	"mariadb":     {readyMySQL, 3306},
	"percona":     {readyMySQL, 3306},
	"redis":       {readyRedis, 6379},
	"redis-stack": {readyRedis, 6379},
	"valkey":      {readyRedis, 6379},
	"memcached":   {"true", 11211},
	"mongo":       {`mongosh --quiet --eval "db.runCommand({ping: 1})" || mongo --quiet --eval "db.runCommand({ping: 1})"`, 27017},
}

// By TCP, as the images of PostgreSQL and MySQL start a first server without it.
const (
	readyPostgres = "pg_isready -h 127.0.0.1"
	readyMySQL    = "mysqladmin ping -h 127.0.0.1 --silent || mariadb-admin ping -h 127.0.0.1 --silent"
	readyRedis    = "redis-cli ping || valkey-cli ping"
)

// database is a service of a workflow as it can be started; why not, where it cannot.
func database(s ci.Service) (out Service, why string) {
	name, _, _ := strings.Cut(path.Base(s.Image), ":")
	name, _, _ = strings.Cut(name, "@")
	known, ok := databases[name]
	if !ok {
		return out, "is no database that is known here"
	}
	out = Service{Name: s.Name, Image: s.Image, Ready: known.ready}
	for _, v := range s.Env {
		if !v.Known() {
			return out, "has the value of " + v.Name + " from elsewhere"
		}
		out.Env = append(out.Env, v.Name+"="+v.Value)
	}
	for _, text := range s.Ports {
		p, ok := port(text)
		if !ok {
			return out, fmt.Sprintf("has the ports %q", text)
		}
		out.Ports = append(out.Ports, p)
	}
	if len(out.Ports) == 0 {
		return out, fmt.Sprintf("offers the tests no port; %d is its own", known.port)
	}
	return out, ""
}

// port reads "5432:5432" and "5432:5432/tcp". One without a place on the machine is
// given one by chance, which only the workflow's own expressions know.
func port(text string) (p Port, ok bool) {
	host, inside, both := strings.Cut(strings.TrimSuffix(text, "/tcp"), ":")
	p.Host, _ = strconv.Atoi(host)
	p.Container, _ = strconv.Atoi(inside)
	valid := func(n int) bool { return n > 0 && n < 1<<16 }
	return p, both && valid(p.Host) && valid(p.Container)
}

// ServicesOf are the databases among the services of a job, where somebody owns up to
// starting them: a machine that GitHub made for the job, or one's own outside of a
// workflow, as who may use an engine's socket is root on the machine. note is told what
// becomes of them; nil is none.
func ServicesOf(ctx context.Context, list []ci.Service, checkout string, env []string, note func(format string, args ...any)) *Services {
	if len(list) == 0 || environ.Lookup(env, "GITHUB_ACTIONS") == "true" && environ.Lookup(env, "RUNNER_ENVIRONMENT") != "github-hosted" {
		return nil
	}
	s := &Services{engine: NewEngine(env), owner: checkout}
	var names []string
	for _, one := range list {
		name := fmt.Sprintf("%s (%s)", wording.Line(one.Image, 60), one.Source)
		known, why := database(one)
		if why != "" {
			note("the service %s is not started: it %s", name, why)
			continue
		}
		s.list, names = append(s.list, known), append(names, name)
	}
	switch {
	case len(names) == 0:
		return nil
	case !s.engine.Answers(ctx):
		note("no container engine answers, so that these services are not started: %s", strings.Join(names, ", "))
		return nil
	}
	note("started anew for each run of the tests, unless they answer already: %s", strings.Join(names, ", "))
	return s
}
