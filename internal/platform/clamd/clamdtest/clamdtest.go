// Package clamdtest has a stand-in for a ClamAV daemon.
package clamdtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// EICAR is the test file that every virus scanner reports. Virus is the name that Daemon gives it.
const (
	EICAR = `X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
	Virus = "Eicar-Test-Signature"
)

// Daemon is a running stand-in.
type Daemon struct {
	Address string // for the settings

	mu     sync.Mutex
	answer func(file []byte) string
	files  [][]byte
	most   int
}

// Start runs a stand-in that finds Virus in files with EICAR until the test ends.
func Start(t *testing.T) *Daemon {
	t.Helper()
	return start(t, "tcp", "127.0.0.1:0")
}

// StartUnix is Start with a Unix socket.
func StartUnix(t *testing.T) *Daemon {
	t.Helper()
	return start(t, "unix", filepath.Join(t.TempDir(), "clamd.ctl"))
}

func start(t *testing.T, network, address string) *Daemon {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	d := &Daemon{Address: network + "://" + l.Addr().String(), most: 1 << 30, answer: Answer}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed
			}
			served.Go(func() {
				defer conn.Close() //nolint:errcheck // after the answer
				d.serve(conn)
			})
		}
	})
	t.Cleanup(func() { l.Close(); served.Wait() })
	return d
}

// Answer is the stand-in's own answer to a file.
func Answer(file []byte) string {
	if bytes.Contains(file, []byte(EICAR)) {
		return "stream: " + Virus + " FOUND\x00"
	}
	return "stream: OK\x00"
}

// Answer replaces the answer to a file. An empty answer only closes the connection. The function
// can wait, but not after the test ends.
func (d *Daemon) Answer(answer func(file []byte) string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answer = answer
}

// Limit makes files larger than most bytes exceed the daemon's limit.
func (d *Daemon) Limit(most int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.most = most
}

// Files returns the files that were received completely.
func (d *Daemon) Files() [][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.files)
}

func (d *Daemon) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	command, err := r.ReadString(0)
	if err != nil {
		return
	}
	if command == "zPING\x00" {
		_, _ = io.WriteString(conn, "PONG\x00") // the client can be gone
		return
	}
	var file []byte
	for {
		var size uint32
		if command != "zINSTREAM\x00" || binary.Read(r, binary.BigEndian, &size) != nil {
			return
		}
		if size == 0 {
			break
		}
		piece := make([]byte, size)
		if _, err := io.ReadFull(r, piece); err != nil {
			return
		}
		if file = append(file, piece...); len(file) > d.limit() {
			_, _ = io.WriteString(conn, "INSTREAM size limit exceeded. ERROR\x00")
			return
		}
	}
	d.mu.Lock()
	d.files = append(d.files, file)
	answer := d.answer
	d.mu.Unlock()
	_, _ = io.WriteString(conn, answer(file))
}

func (d *Daemon) limit() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.most
}
