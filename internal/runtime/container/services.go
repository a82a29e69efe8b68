package container

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/org/qa-action/internal/process"
	"github.com/org/qa-action/internal/wording"
)

// Service is a database that tests need a server of.
type Service struct {
	Name, Image string
	Env         []string
	Ports       []Port
	Ready       string // a line for its shell that ends well once it answers
}

// Port is one of a service, and the one at which tests reach it.
type Port struct{ Container, Host int }

// Services are databases that run while tests do. Each run of tests has them anew,
// as what one run left in them would decide what the next one sees; so only one run
// has them at a time.
type Services struct {
	engine *Engine
	owner  string // tells those that an earlier run of ours left
	list   []Service
	turn   sync.Mutex
	swept  bool
	failed error
}

// ownerLabel is on every container of ours; its value is the checkout.
const ownerLabel = "qa-action.checkout"

// Failed is why they could not be started; empty where they could, were not needed, or
// are none.
func (s *Services) Failed() string {
	if s == nil {
		return ""
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.failed == nil {
		return ""
	}
	return wording.Line(s.failed.Error(), 200)
}

// errPort says that a service would be reached at another port than its own, which
// cannot be had where it shares our network.
var errPort = errors.New("its port would have to be another one than its own")

// readyWithin is how long a service may take until it answers.
const readyWithin = 2 * time.Minute

// Start starts them and waits until each answers; stop removes them. Services that
// answer already are somebody else's and left as they are. What cannot be started
// once is not tried again: tests run without, and say what they miss. Of nil nothing is
// started.
func (s *Services) Start(ctx context.Context) (stop func()) {
	if s == nil {
		return func() {}
	}
	s.turn.Lock()
	if !s.swept {
		s.swept = true
		s.sweep(ctx)
	}
	if s.failed != nil || s.served(ctx) {
		return s.turn.Unlock
	}
	var made []string
	stop = func() {
		for _, id := range slices.Backward(made) {
			s.engine.remove(ctx, id)
		}
		s.turn.Unlock()
	}
	network := s.network(ctx)
	for _, one := range s.list {
		id, err := s.start(ctx, one, network)
		if id != "" {
			made = append(made, id)
		}
		if err != nil {
			s.failed = fmt.Errorf("%s: %w", one.Image, err)
			break
		}
	}
	return stop
}

// served reports whether all ports are answered before anything is started.
func (s *Services) served(ctx context.Context) bool {
	for _, one := range s.list {
		for _, p := range one.Ports {
			if !answers(ctx, p.Host) {
				return false
			}
		}
	}
	return true
}

func answers(ctx context.Context, port int) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// network is the one that tests are in: the container's that we are in, else the
// machine's, empty.
func (s *Services) network(ctx context.Context) string {
	host, err := os.Hostname()
	if err != nil {
		return ""
	}
	if self, err := s.engine.inspect(ctx, host); err == nil && strings.HasPrefix(self.ID, host) {
		return "container:" + self.ID
	}
	return ""
}

// start runs one service until it answers. The id is empty where nothing was made.
func (s *Services) start(ctx context.Context, one Service, network string) (id string, err error) {
	if err := s.engine.pull(ctx, one.Image); err != nil {
		return "", err
	}
	host := map[string]any{
		"NetworkMode": network, "SecurityOpt": []string{"no-new-privileges"}, "PidsLimit": 1024, "Memory": 2 << 30, "CpuShares": cpuShares,
	}
	exposed, bound := map[string]any{}, map[string]any{}
	for _, p := range one.Ports {
		name := strconv.Itoa(p.Container) + "/tcp"
		exposed[name] = struct{}{}
		bound[name] = []map[string]string{{"HostIp": "127.0.0.1", "HostPort": strconv.Itoa(p.Host)}}
		if network != "" && p.Container != p.Host {
			return "", errPort
		}
	}
	body := map[string]any{"Image": one.Image, "Env": one.Env, "Labels": map[string]string{ownerLabel: s.owner}, "HostConfig": host}
	if network == "" {
		body["ExposedPorts"], host["PortBindings"], host["NetworkMode"] = exposed, bound, "bridge"
	}
	var made struct {
		ID string `json:"Id"`
	}
	if err := s.engine.Call(ctx, http.MethodPost, "/containers/create", body, &made); err != nil {
		return "", err
	}
	if err := s.engine.Call(ctx, http.MethodPost, "/containers/"+made.ID+"/start", nil, nil); err != nil {
		return made.ID, err
	}
	return made.ID, s.await(ctx, made.ID, one)
}

// await waits until a service says itself that it answers, and its ports do.
func (s *Services) await(ctx context.Context, id string, one Service) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyWithin, fmt.Errorf("does not answer after %s", readyWithin))
	defer cancel()
	for {
		code, err := s.engine.Exec(ctx, id, map[string]any{"Cmd": []string{"sh", "-c", one.Ready}}, process.NewCapture(process.Command{}))
		if err == nil && code == 0 && !slices.ContainsFunc(one.Ports, func(p Port) bool { return !answers(ctx, p.Host) }) {
			return nil
		}
		if info, err := s.engine.inspect(ctx, id); err == nil && !info.State.Running {
			return errors.New("ended while it was starting")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// remove takes a container away with what it wrote, also when cancelled.
func (e *Engine) remove(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_ = e.Call(ctx, http.MethodDelete, "/containers/"+url.PathEscape(id)+"?force=true&v=true", nil, nil)
}

// sweep removes what an earlier run for this checkout left when it was killed: its
// data would be taken for ours.
func (s *Services) sweep(ctx context.Context) {
	var left []struct {
		ID string `json:"Id"`
	}
	filter := url.QueryEscape(`{"label":["` + ownerLabel + "=" + strings.ReplaceAll(s.owner, `"`, `\"`) + `"]}`)
	if err := s.engine.Call(ctx, http.MethodGet, "/containers/json?all=true&filters="+filter, nil, &left); err != nil {
		return
	}
	for _, one := range left {
		s.engine.remove(ctx, one.ID)
	}
}
