package container

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/org/qa-action/internal/ci"
)

func TestDatabase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   ci.Service
		want Service
		why  string
	}{
		"postgres": {
			in:   ci.Service{Name: "db", Image: "postgres:16", Ports: []string{"5433:5432"}, Env: []ci.Variable{{Name: "POSTGRES_PASSWORD", Value: "x"}}},
			want: Service{Name: "db", Image: "postgres:16", Env: []string{"POSTGRES_PASSWORD=x"}, Ports: []Port{{Container: 5432, Host: 5433}}, Ready: readyPostgres},
		},
		"by digest": {
			in:   ci.Service{Image: "docker.io/library/redis@sha256:00", Ports: []string{"6379:6379/tcp"}},
			want: Service{Image: "docker.io/library/redis@sha256:00", Ports: []Port{{Container: 6379, Host: 6379}}, Ready: readyRedis},
		},
		"no database":    {in: ci.Service{Image: "selenium/standalone-chrome"}, why: "is no database that is known here"},
		"unknown image":  {in: ci.Service{Image: "postgres\x01"}, why: "is no database that is known here"},
		"a secret":       {in: ci.Service{Image: "mysql", Env: []ci.Variable{{Name: "P", Value: "\x01"}}}, why: "has the value of P from elsewhere"},
		"a port at will": {in: ci.Service{Image: "mysql", Ports: []string{"3306"}}, why: `has the ports "3306"`},
		"a wrong port":   {in: ci.Service{Image: "mysql", Ports: []string{"99999:3306"}}, why: `has the ports "99999:3306"`},
		"no port":        {in: ci.Service{Image: "mongo:7"}, why: "offers the tests no port; 27017 is its own"},
	} {
		got, why := database(c.in)
		assert.Equal(t, why, c.why, name)
		if why == "" {
			assert.Equal(t, fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", c.want), name)
		}
	}
}
