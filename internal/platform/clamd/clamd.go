// Package clamd checks files for viruses with a ClamAV daemon (clamd). The daemon runs on this
// machine or in its private network, because the protocol isn't encrypted.
package clamd

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/upstream"
)

// Settings configure the virus scanner.
type Settings struct {
	Clamd string `env:"WCPP_CLAMD" placeholder:"ADDRESS" help:"Virus scanner (clamd): tcp://HOST:PORT or unix:///PATH (default: none)."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	_, _, valid := splitAddress(s.Clamd)
	p.Require(s.Clamd == "" || valid, "WCPP_CLAMD", "must be tcp://HOST:PORT or unix:///PATH")
}

// splitAddress splits a scanner's address into the network and the address to dial.
func splitAddress(address string) (network, host string, valid bool) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
	case u.Scheme == "tcp" && u.Hostname() != "" && u.Port() != "" && u.Path == "":
		return u.Scheme, u.Host, true
	case u.Scheme == "unix" && u.Host == "" && len(u.Path) > 1:
		return u.Scheme, u.Path, true
	}
	return "", "", false
}

// Failures of a scanner. The file can have a virus.
const (
	ErrTooLarge = upstream.Failure("The file is larger than the scanner accepts. Raise StreamMaxLength in clamd.conf.")
	ErrAnswer   = upstream.Failure("The scanner didn't answer as clamd does.")
)

// TimeLimit is how long one file can take. A document of 25 MB takes a few seconds.
const TimeLimit = 30 * time.Second

const (
	// chunk is the number of bytes of a file in memory.
	chunk = 64 << 10
	// longestAnswer is enough for the name of any virus.
	longestAnswer = 4 << 10
)

// Scanner is a ClamAV daemon. It's safe for concurrent use. Each call has its own connection.
type Scanner struct {
	network, address string
	longest          time.Duration
}

// New returns the scanner at a valid address of the settings.
func New(s Settings) *Scanner {
	network, address, _ := splitAddress(s.Clamd)
	return &Scanner{network, address, TimeLimit}
}

// Scan returns the name of the virus in a file, or "" for a clean file. It reads the file in
// chunks of 64 KiB. It fails if the scanner can't be reached, refuses the file, answers
// anything else or takes longer than TimeLimit.
func (s *Scanner) Scan(ctx context.Context, file io.Reader) (virus string, err error) {
	answer, err := s.call(ctx, "zINSTREAM\x00", file)
	if err != nil {
		return "", err
	}
	if answer == "stream: OK" {
		return "", nil
	}
	name, is := strings.CutPrefix(answer, "stream: ")
	name, found := strings.CutSuffix(name, " FOUND")
	if !is || !found || name == "" {
		return "", fmt.Errorf("%w: %q", ErrAnswer, answer)
	}
	return name, nil
}

// Ping fails if the scanner isn't ready.
func (s *Scanner) Ping(ctx context.Context) error {
	answer, err := s.call(ctx, "zPING\x00", nil)
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("%w: %q", ErrAnswer, answer)
	}
	return err
}

// call sends a command, and a file if there is one, and returns the answer.
func (s *Scanner) call(ctx context.Context, command string, file io.Reader) (answer string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.longest)
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = ctx.Err() // the connection's own error says less
		}
	}()
	conn, err := new(net.Dialer).DialContext(ctx, s.network, s.address)
	if err != nil {
		return "", err
	}
	defer conn.Close() //nolint:errcheck // after the answer
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()

	_, sent := io.WriteString(conn, command)
	if sent == nil && file != nil {
		if sent, err = send(conn, file); err != nil {
			return "", err
		}
	}
	answer, err = bufio.NewReader(io.LimitReader(conn, longestAnswer)).ReadString(0)
	answer = strings.TrimSuffix(answer, "\x00")
	switch {
	case answer == "INSTREAM size limit exceeded. ERROR": // clamd stops reading
		return "", ErrTooLarge
	case sent != nil:
		return "", sent
	case errors.Is(err, io.EOF):
		return "", fmt.Errorf("%w: %q", ErrAnswer, answer)
	}
	return answer, err
}

// send writes a file in chunks, each after its length. An empty chunk ends it. sent is an error of
// the connection, err one of the file.
func send(conn io.Writer, file io.Reader) (sent, err error) {
	buffer := make([]byte, 4+chunk)
	for !errors.Is(err, io.EOF) {
		var n int
		n, err = file.Read(buffer[4:])
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if n == 0 {
			continue
		}
		binary.BigEndian.PutUint32(buffer, uint32(n)) //nolint:gosec // at most a chunk
		if _, sent = conn.Write(buffer[:4+n]); sent != nil {
			return sent, nil
		}
	}
	_, sent = conn.Write(make([]byte, 4))
	return sent, nil
}
