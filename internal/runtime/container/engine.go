// Package container runs the commands of a workspace in another container: in one of
// their own each ([Each]), or in that of the workflow's job ([Job]).
package container

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/org/qa-action/internal/runtime/environ"
	"github.com/org/qa-action/internal/web"
)

// Engine speaks the Docker Engine API, as far as the container drivers need it,
// with a Docker or Podman daemon over its UNIX socket.
type Engine struct {
	client *http.Client // for what is answered at once
	stream *http.Client // for what lasts as long as a container
	Socket string
}

// engineAPI is a version that every daemon in use has.
const engineAPI = "/v1.41"

// maxEngineReply bounds what is decoded of a stream.
const maxEngineReply = 64 << 20

func NewEngine(env []string) *Engine {
	socket := "/var/run/docker.sock"
	if path, ok := strings.CutPrefix(environ.Lookup(env, "DOCKER_HOST"), "unix://"); ok {
		socket = path
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	return &Engine{Socket: socket, client: web.Local(web.Engine, dial), stream: web.Local(web.EngineStream, dial)}
}

// Answers reports whether there is a daemon that we may talk to.
func (e *Engine) Answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return e.Call(ctx, http.MethodGet, "/_ping", nil, nil) == nil
}

// Call sends in as JSON and reads the reply into out; each may be nil.
func (e *Engine) Call(ctx context.Context, method, path string, in, out any) error {
	resp, err := e.send(ctx, e.client, method, path, in)
	if err != nil {
		return err
	}
	return read(resp, path, out)
}

// read reads a reply into out, which may be nil.
func read(resp *http.Response, path string, out any) (err error) {
	defer func() { _ = resp.Body.Close() }()
	if out == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	} else {
		err = json.NewDecoder(io.LimitReader(resp.Body, maxEngineReply)).Decode(out)
	}
	if err != nil {
		return fmt.Errorf("container engine: %s: %w", path, err)
	}
	return nil
}

func (e *Engine) send(ctx context.Context, client *http.Client, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("container engine: %w", err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://engine"+engineAPI+path, body)
	if err != nil {
		return nil, fmt.Errorf("container engine: %w", err)
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("container engine at %s: %w", e.Socket, err)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	var reply struct {
		Message string `json:"message"`
	}
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&reply)
	return nil, engineError{resp.StatusCode, fmt.Sprintf("container engine: %s %s: %s: %s", method, strings.SplitN(path, "?", 2)[0], resp.Status, reply.Message)}
}

type engineError struct {
	status int
	text   string
}

func (e engineError) Error() string { return e.text }

func notFound(err error) bool {
	var e engineError
	return errors.As(err, &e) && e.status == http.StatusNotFound
}

// mountPoint is a directory of the machine that a container sees.
type mountPoint struct {
	Source      string
	Destination string
}

type state struct{ Running, OOMKilled bool }

type containerInfo struct {
	ID     string `json:"Id"`
	Mounts []mountPoint
	State  state
	Config struct{ Env []string }
}

func (e *Engine) inspect(ctx context.Context, id string) (containerInfo, error) {
	var c containerInfo
	err := e.Call(ctx, http.MethodGet, "/containers/"+url.PathEscape(id)+"/json", nil, &c)
	return c, err
}

// pull fetches an image that is not there.
func (e *Engine) pull(ctx context.Context, image string) error {
	if name := image[strings.LastIndexByte(image, '/')+1:]; !strings.ContainsAny(name, ":@") {
		image += ":latest" // else an engine fetches all there are
	}
	err := e.Call(ctx, http.MethodGet, "/images/"+image+"/json", nil, nil)
	if err == nil || !notFound(err) {
		return err
	}
	resp, err := e.send(ctx, e.stream, http.MethodPost, "/images/create?fromImage="+url.QueryEscape(image), nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	for lines := json.NewDecoder(io.LimitReader(resp.Body, maxEngineReply)); ; {
		var progress struct {
			Error string `json:"error"`
		}
		switch err := lines.Decode(&progress); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("pull %s: %w", image, err)
		case progress.Error != "":
			return fmt.Errorf("pull %s: %s", image, progress.Error)
		}
	}
}

// demultiplex splits a stream of frames: kind (1 is standard output, 2 standard
// error), three zeros, the length in four bytes, the data.
func demultiplex(stream io.Reader, stdout, stderr io.Writer) error {
	var header [8]byte
	for {
		if _, err := io.ReadFull(stream, header[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		to := stdout
		if header[0] == 2 {
			to = stderr
		}
		if _, err := io.CopyN(to, stream, int64(binary.BigEndian.Uint32(header[4:]))); err != nil {
			return err
		}
	}
}
