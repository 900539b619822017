// Package gate lets so many calls work at once as the machine can, has some more wait
// for their turn, and refuses the others at once: a portal that takes all answers none in
// time.
package gate

import (
	"container/list"
	"context"
	"io"
	"sync"
	"time"
)

const (
	// queued is how many wait for each that works, patience how long one does.
	queued   = 4
	patience = 3 * time.Second
)

// Gate bounds how many calls of a class work at once. The zero value, and nil, let all in.
type Gate struct {
	refused func()
	wait    time.Duration

	mu      sync.Mutex
	limit   int
	working int
	waiting list.List // of chan struct{}, closed when it is their turn
}

// New makes a gate for so many at once; refused is called for each that is not let in.
func New(limit int, refused func()) *Gate {
	return &Gate{limit: limit, refused: refused, wait: patience}
}

type slotKey struct{}

// slot is the place of a call that was let in.
type slot struct {
	gate *Gate
	mu   sync.Mutex
	away int // how many things of the call wait for something outside
	left bool
}

// Enter waits for the call's turn. It answers false where too many wait already, or it
// took too long; else Leave must be called with the context, once the call has ended.
func (g *Gate) Enter(ctx context.Context) (context.Context, bool) {
	if g == nil || g.limit == 0 {
		return ctx, true
	}
	if !g.take(ctx) {
		g.refused()
		return ctx, false
	}
	return context.WithValue(ctx, slotKey{}, &slot{gate: g}), true
}

// Leave gives up the place of the call that ctx belongs to. It is safe to repeat.
func Leave(ctx context.Context) {
	s, is := ctx.Value(slotKey{}).(*slot)
	if !is {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.left && s.away == 0 {
		s.gate.give()
	}
	s.left = true
}

func (g *Gate) take(ctx context.Context) bool {
	g.mu.Lock()
	if g.working < g.limit {
		g.working++
		g.mu.Unlock()
		return true
	}
	if g.waiting.Len() >= queued*g.limit {
		g.mu.Unlock()
		return false
	}
	turn := make(chan struct{})
	place := g.waiting.PushBack(turn)
	g.mu.Unlock()
	late := time.NewTimer(g.wait)
	defer late.Stop()
	select {
	case <-turn:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-turn: // just now: it is let in all the same
		return true
	default:
		g.waiting.Remove(place)
		return false
	}
}

// give lets the next one in, unless more work than may.
func (g *Gate) give() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working--
	for g.working < g.limit && g.waiting.Len() > 0 {
		close(g.waiting.Remove(g.waiting.Front()).(chan struct{}))
		g.working++
	}
}

// Away gives the place of the call that ctx belongs to to others, while it waits for
// something outside of the portal, until back is called. It is let in again at once.
func Away(ctx context.Context) (back func()) {
	s, is := ctx.Value(slotKey{}).(*slot)
	if !is {
		return func() {}
	}
	s.move(1)
	return func() { s.move(-1) }
}

// move notes that one thing more or less of the call waits outside.
func (s *slot) move(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.away
	s.away += by
	switch {
	case s.left:
	case was == 0:
		s.gate.give()
	case s.away == 0:
		s.gate.mu.Lock()
		s.gate.working++
		s.gate.mu.Unlock()
	}
}

// Body is what a call brings: while it is waited for, the call takes no place.
func Body(ctx context.Context, body io.ReadCloser) io.ReadCloser { return &awaited{body, ctx} }

type awaited struct {
	io.ReadCloser
	ctx context.Context //nolint:containedctx // a reader has no other way to know its call
}

// Read reads while others are let in.
func (a *awaited) Read(p []byte) (int, error) {
	defer Away(a.ctx)()
	return a.ReadCloser.Read(p)
}
