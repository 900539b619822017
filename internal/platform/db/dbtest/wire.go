package dbtest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Fault is what a wire does with the next commit.
type Fault int

// The faults of a wire.
const (
	None            Fault = iota
	CutBefore             // the commit doesn't arrive, and its connection closes
	CutAfter              // the commit arrives, and its connection closes without the answer
	SwallowAtCommit       // the commit and everything after it get lost on all connections, which stay open
	Swallow               // from now on, everything gets lost on existing connections, which stay open
)

// Wire is a network between a program and a PostgreSQL server.
type Wire struct {
	to    string
	mu    sync.Mutex
	fault Fault
	pairs map[*pair]bool
	gone  bool // for new connections, too
}

type pair struct {
	near, far net.Conn
	silent    bool
	cut       bool // closes when the next bytes pass
}

// NewWire puts a wire in front of the server of an address and returns the address through it.
func NewWire(t testing.TB, address string) (w *Wire, through string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w = &Wire{to: u.Host, pairs: map[*pair]bool{}}
	u.Host = listener.Addr().String()
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(near)
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		for p := range w.pairs {
			p.close()
		}
	})
	return w, u.String()
}

// Set sets what happens next.
func (w *Wire) Set(f Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault = f; f == Swallow {
		w.fault = None
		w.silence()
	}
}

// Happened reports whether the fault of a commit has happened.
func (w *Wire) Happened() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fault == None
}

func (w *Wire) silence() {
	for p := range w.pairs {
		p.silent = true
	}
}

func (p *pair) close() {
	_ = p.near.Close()
	_ = p.far.Close()
}

func (w *Wire) carry(near net.Conn) {
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = near.Close()
		return
	}
	p := &pair{near: near, far: far}
	w.mu.Lock()
	p.silent = w.gone
	w.pairs[p] = true
	w.mu.Unlock()
	go w.flow(p, far, near, func([]byte) Fault { return None })
	w.flow(p, near, far, w.faultOf)
}

// faultOf returns the fault that some bytes from the program meet.
func (w *Wire) faultOf(part []byte) Fault {
	if !bytes.Contains(part, []byte("commit\x00")) {
		return None
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.fault
	if w.fault = None; f == SwallowAtCommit {
		w.gone = true
		w.silence()
	}
	return f
}

func (w *Wire) flow(p *pair, from, to net.Conn, faultOf func([]byte) Fault) {
	defer p.close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			f := faultOf(buffer[:n])
			if f == CutBefore {
				return
			}
			w.mu.Lock()
			silent, cut := p.silent, p.cut
			p.cut = p.cut || f == CutAfter
			w.mu.Unlock()
			if cut {
				return // with the answer to the commit
			}
			if !silent {
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
			}
		}
		if err != nil {
			return
		}
	}
}
