package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// portal is a running process of the real program.
type portal struct {
	process *exec.Cmd
	log     *os.File
	url     string
	ready   time.Duration // time from start to the first successful /readyz
}

// start runs the program with --listen added and waits until it's ready.
func (b *bench) start(ctx context.Context, args ...string) (*portal, error) {
	address, err := findAddress()
	if err != nil {
		return nil, err
	}
	p := &portal{url: "http://" + address}
	if p.log, err = os.Create(filepath.Join(b.dir, "log-"+strings.ReplaceAll(address, ":", "-"))); err != nil {
		return nil, err
	}
	p.process = exec.CommandContext(ctx, b.program, append(args, "--listen", address)...)
	p.process.Stderr, p.process.Stdout = p.log, io.Discard
	// A few users send the requests of many.
	p.process.Env = append(os.Environ(), "WCPP_BILL_SEARCHES=1000000000", "WCPP_BILL_OPENINGS=1000000000", "WCPP_CLAIM_SEARCHES=1000000000",
		"WCPP_EXPENSIVE_CALLS=1000000000", "WCPP_STREAMS_PER_SESSION=1000000", "WCPP_STREAMS_PER_PERSON=1000000")
	started := time.Now()
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: time.Second}
	for time.Since(started) < time.Minute {
		res, err := client.Get(p.url + "/readyz")
		if err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				p.ready = time.Since(started)
				return p, nil
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	text, _ := os.ReadFile(p.log.Name())
	return nil, errors.Join(fmt.Errorf("not ready within a minute: %s", text), p.stop())
}

// findAddress returns a free address of this machine.
func findAddress() (string, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return free.Addr().String(), free.Close()
}

func (p *portal) stop() error {
	defer p.log.Close()
	if err := p.process.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.process.Wait()
}

// resident returns the program's resident memory in bytes.
func (p *portal) resident() (int64, error) {
	kb, err := procField(fmt.Sprintf("/proc/%d/status", p.process.Process.Pid), "VmRSS")
	return kb << 10, err
}

// browser sends requests with one user's cookies and bearer token.
type browser struct {
	http    http.Client
	url     string
	token   string
	cookies map[string]string
}

// call returns the response body and the redirect target.
func (c *browser) call(method, path, kind string, body []byte) ([]byte, *url.URL, error) {
	req, err := http.NewRequest(method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Content-Type", kind)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range c.cookies {
		req.Header.Add("Cookie", name+"="+value)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return nil, nil, fmt.Errorf("%s %s answered %d: %s", method, path, res.StatusCode, answer)
	}
	for _, cookie := range res.Cookies() {
		c.cookies[cookie.Name] = cookie.Value
	}
	to, err := res.Location()
	if errors.Is(err, http.ErrNoLocation) {
		to, err = &url.URL{}, nil
	}
	return answer, to, err
}

var stateField = regexp.MustCompile(`name="state" value="([^"]+)"`)

// signIn uses the sign-in form as a browser does.
func signIn(address, user, password string) (*browser, error) {
	c := &browser{url: address, cookies: map[string]string{}, http: http.Client{
		Transport:     &http.Transport{},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if _, _, err := c.call("GET", "/sso/start", "", nil); err != nil {
		return nil, err
	}
	form, _, err := c.call("GET", "/sso/sign-in", "", nil)
	if err != nil {
		return nil, err
	}
	found := stateField.FindSubmatch(form)
	if found == nil {
		return nil, errors.New("the sign-in form has no state")
	}
	state := string(found[1])
	fields := url.Values{"username": {user}, "password": {password}, "state": {state}}
	_, back, err := c.call("POST", "/sso/sign-in", "application/x-www-form-urlencoded", []byte(fields.Encode()))
	if err != nil {
		return nil, err
	}
	code, err := json.Marshal(map[string]string{"username": "checkAuth", "password": back.Query().Get("code"), "state": state})
	if err != nil {
		return nil, err
	}
	answer, _, err := c.call("POST", "/api/authenticate", "application/json", code)
	if err != nil {
		return nil, err
	}
	var session struct{ Token string }
	if err := json.Unmarshal(answer, &session); err != nil {
		return nil, err
	}
	c.token, c.cookies = session.Token, nil
	return c, nil
}

// wire is a connection of a lightweight client, so that the benchmark measures the portal and
// not the client on the same cores.
type wire struct {
	conn   io.ReadWriteCloser
	in     *bufio.Reader
	head   string
	answer bytes.Buffer
}

// dial opens a connection for a signed-in user to one endpoint.
func (c *browser) dial(method, path string) (*wire, error) {
	host := strings.TrimPrefix(c.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	return &wire{conn: conn, in: bufio.NewReaderSize(conn, 1<<16), head: fmt.Sprintf(
		"%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: ", method, path, host,
		c.token)}, nil
}

// post sends a body and returns the response, which is valid until the next post.
func (w *wire) post(body []byte) ([]byte, error) {
	if _, err := fmt.Fprintf(w.conn, "%s%d\r\n\r\n%s", w.head, len(body), body); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	w.answer.Reset()
	if _, err := w.answer.ReadFrom(res.Body); err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answered %d: %s", res.StatusCode, w.answer.Bytes())
	}
	return w.answer.Bytes(), nil
}
