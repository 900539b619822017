// Package admission decides which requests run now, which wait, and which are refused, so that
// each user and each office gets a fair share of the server.
package admission

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// patience is how long a request waits for its turn.
const patience = 3 * time.Second

// manyWaiting is more requests than one screen sends at once. A caller with more waiting requests
// has no credit, only its refill.
const manyWaiting = 4

// Reasons to refuse a request.
var (
	// ErrBusy means that the server has more requests than it can answer soon.
	ErrBusy = errors.New("the server is busy")
	// ErrShare means that the caller exceeds its own share of concurrent requests.
	ErrShare = errors.New("the caller has too many concurrent requests")
)

// Caller identifies the sender of a request. Requests with equal callers share one queue.
type Caller struct {
	Office string // empty if the user belongs to none
	Person string // a user, or the client address without a session
}

// Limits are the sizes of a gate.
type Limits struct {
	Slots   int // concurrent requests
	Each    int // concurrent requests per caller
	Waiting int // waiting requests
	Queued  int // waiting requests per caller
	// Total limits the requests of one caller that run, wait, or are away.
	Total int
	// Credit is the total run time that one caller's requests can use in a row. Refill is the
	// part of a second that comes back each second. Requests wait for credit. Zero disables
	// credit.
	Credit time.Duration
	Refill float64
}

// NewLimits returns limits for the given number of slots, with each slots per caller.
func NewLimits(slots, each int) Limits {
	return Limits{Slots: slots, Each: min(slots, each), Waiting: 4 * slots, Queued: max(8, slots), Total: max(64, 4*slots)}
}

// Gate shares its slots among callers. Waiting callers take turns, however many requests each
// has. An office uses at most half of the slots while callers from other offices wait. A nil
// Gate admits all requests.
type Gate struct {
	limits  Limits
	refused func(error)

	mu      sync.Mutex
	running int
	waiting int
	callers map[Caller]*queue
	offices map[string]int // running requests
	turns   []*queue       // queues with waiting requests, next turn first
	wake    *time.Timer    // fires when a waiting caller has credit again
}

// queue counts the requests of one caller.
type queue struct {
	caller  Caller
	running int
	away    int
	calls   []chan error // waiting requests, oldest first; each receives nil or the refusal
	credit  time.Duration
	at      time.Time // time of the last credit update
}

// New returns a gate. It calls refused for each request that it doesn't admit.
func New(limits Limits, refused func(error)) *Gate {
	return &Gate{limits: limits, refused: refused, callers: map[Caller]*queue{}, offices: map[string]int{}}
}

type slotKey struct{}

// slot belongs to an admitted request.
type slot struct {
	gate   *Gate
	caller Caller
	outer  *slot // slot of a gate that the request passed before
	mu     sync.Mutex
	away   int // how many operations of the request wait for an external system
	left   bool
}

// Enter waits for the caller's turn. It returns ErrBusy or ErrShare if it refuses the request.
// Otherwise, call Leave with the context after the request.
func (g *Gate) Enter(ctx context.Context, caller Caller) (context.Context, error) {
	if g == nil {
		return ctx, nil
	}
	if err := g.enter(ctx, caller); err != nil {
		g.refused(err)
		return ctx, err
	}
	outer, _ := ctx.Value(slotKey{}).(*slot)
	return context.WithValue(ctx, slotKey{}, &slot{gate: g, caller: caller, outer: outer}), nil
}

// Leave frees the slots of the request that ctx belongs to. Calling it again is safe.
func Leave(ctx context.Context) {
	s, _ := ctx.Value(slotKey{}).(*slot)
	for ; s != nil; s = s.outer {
		s.leave()
	}
}

func (s *slot) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.left {
		s.gate.end(s.caller, s.away > 0)
	}
	s.left = true
}

func (g *Gate) enter(ctx context.Context, caller Caller) error {
	turn, err := g.enqueue(caller)
	if turn == nil || err != nil {
		return err
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case err := <-turn:
		return err
	case <-late.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case err := <-turn: // admitted just now
		return err
	default:
	}
	q := g.callers[caller]
	err = ErrBusy
	if !g.isEligible(q) {
		err = ErrShare
	}
	for i, c := range q.calls {
		if c == turn {
			g.remove(q, i)
			break
		}
	}
	g.forget(q)
	return err
}

// enqueue admits a request, or returns the channel that reports its turn.
func (g *Gate) enqueue(caller Caller) (turn chan error, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.callers[caller]
	if q == nil {
		g.forgetIdle()
		q = &queue{caller: caller, credit: g.limits.Credit, at: time.Now()}
		g.callers[caller] = q
	}
	defer g.forget(q)
	if q.running+q.away+len(q.calls) >= g.limits.Total {
		return nil, ErrShare
	}
	if g.running < g.limits.Slots && len(q.calls) == 0 && g.isEligible(q) {
		g.start(q)
		return nil, nil
	}
	if len(q.calls) >= g.limits.Queued {
		return nil, ErrShare
	}
	if g.waiting >= g.limits.Waiting && !g.makeRoom(q) {
		return nil, ErrBusy
	}
	turn = make(chan error, 1)
	q.calls = append(q.calls, turn)
	g.waiting++
	if len(q.calls) == 1 {
		g.turns = append(g.turns, q)
	}
	g.dispatch()
	return turn, nil
}

// makeRoom refuses the newest waiting request of the caller with the longest queue, if that
// queue has at least two requests more than q.
func (g *Gate) makeRoom(q *queue) bool {
	longest := q
	for _, other := range g.turns {
		if len(other.calls) > len(longest.calls) {
			longest = other
		}
	}
	last := len(longest.calls) - 1
	if last <= len(q.calls) {
		return false
	}
	longest.calls[last] <- ErrShare
	g.remove(longest, last)
	return true
}

// remove removes a waiting request from its queue, and an empty queue from the turns.
func (g *Gate) remove(q *queue, i int) {
	q.calls = append(q.calls[:i], q.calls[i+1:]...)
	g.waiting--
	if len(q.calls) > 0 {
		return
	}
	for n, other := range g.turns {
		if other == q {
			g.turns = append(g.turns[:n], g.turns[n+1:]...)
			return
		}
	}
}

// isEligible reports whether the caller can run one more request.
func (g *Gate) isEligible(q *queue) bool {
	g.updateCredit(q)
	return q.running < g.limits.Each && (g.limits.Credit == 0 || q.credit > 0)
}

// updateCredit updates a caller's credit.
func (g *Gate) updateCredit(q *queue) {
	if g.limits.Credit == 0 {
		return
	}
	now := time.Now()
	passed := now.Sub(q.at)
	q.at = now
	limit := g.limits.Credit
	if len(q.calls) > manyWaiting {
		limit = 1
	}
	q.credit = min(limit, q.credit+time.Duration(g.limits.Refill*float64(passed))-time.Duration(q.running)*passed)
}

func (g *Gate) start(q *queue) {
	g.updateCredit(q)
	g.running++
	q.running++
	if q.caller.Office != "" {
		g.offices[q.caller.Office]++
	}
}

// stop frees a slot of the caller and passes it to the next one.
func (g *Gate) stop(q *queue) {
	g.updateCredit(q)
	g.running--
	q.running--
	if office := q.caller.Office; office != "" {
		if g.offices[office]--; g.offices[office] == 0 {
			delete(g.offices, office)
		}
	}
	g.dispatch()
}

// dispatch admits waiting requests while slots are free.
func (g *Gate) dispatch() {
	for g.running < g.limits.Slots {
		next := g.next()
		if next < 0 {
			g.wakeLater()
			return
		}
		q := g.turns[next]
		g.start(q)
		q.calls[0] <- nil
		g.remove(q, 0)
		if len(q.calls) > 0 { // its next turn comes after the others
			g.turns = append(append(g.turns[:next], g.turns[next+1:]...), q)
		}
	}
}

// next returns the index of the next queue, or -1 if no waiting request can run.
func (g *Gate) next() int {
	fallback := -1
	for i, q := range g.turns {
		if !g.isEligible(q) {
			continue
		}
		if g.offices[q.caller.Office] < max(1, g.limits.Slots/2) {
			return i
		}
		if fallback < 0 {
			fallback = i
		}
	}
	return fallback
}

// wakeLater schedules a dispatch for the time when the first caller has credit again.
func (g *Gate) wakeLater() {
	first := time.Duration(-1)
	for _, q := range g.turns {
		if q.running >= g.limits.Each {
			continue
		}
		wait := time.Duration(float64(-q.credit)/(g.limits.Refill)) + time.Millisecond
		if first < 0 || wait < first {
			first = wait
		}
	}
	if first < 0 {
		return
	}
	if g.wake != nil {
		g.wake.Stop()
	}
	g.wake = time.AfterFunc(first, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.dispatch()
	})
}

// forget removes a caller that has full credit and no open requests.
func (g *Gate) forget(q *queue) {
	g.updateCredit(q)
	if q.running == 0 && q.away == 0 && len(q.calls) == 0 && q.credit == g.limits.Credit {
		delete(g.callers, q.caller)
	}
}

// forgetIdle periodically removes callers with full credit.
func (g *Gate) forgetIdle() {
	if g.limits.Credit == 0 || (len(g.callers)+1)%256 != 0 {
		return
	}
	for _, q := range g.callers {
		g.forget(q)
	}
}

// end records that a request of the caller has ended.
func (g *Gate) end(caller Caller, away bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.callers[caller]
	if away {
		q.away--
	} else {
		g.stop(q)
	}
	g.forget(q)
}

// Pause frees the slot of the request that ctx belongs to while the request waits for an external
// system. After back is called, the request continues without waiting.
func Pause(ctx context.Context) (back func()) {
	first, is := ctx.Value(slotKey{}).(*slot)
	if !is {
		return func() {}
	}
	for s := first; s != nil; s = s.outer {
		s.move(1)
	}
	return func() {
		for s := first; s != nil; s = s.outer {
			s.move(-1)
		}
	}
}

// move changes the number of external waits of the request.
func (s *slot) move(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.away
	s.away += by
	if s.left || was > 0 && s.away > 0 {
		return
	}
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	q := s.gate.callers[s.caller]
	if s.away > 0 {
		q.away++
		s.gate.stop(q)
	} else {
		q.away--
		s.gate.start(q)
	}
}

// WrapBody wraps a request body. The request uses no slot while it waits for the body.
func WrapBody(ctx context.Context, body io.ReadCloser) io.ReadCloser { return &pausingBody{body, ctx} }

type pausingBody struct {
	io.ReadCloser
	ctx context.Context //nolint:containedctx // a reader has no other way to know its call
}

// Read frees the slot while it reads.
func (a *pausingBody) Read(p []byte) (int, error) {
	defer Pause(a.ctx)()
	return a.ReadCloser.Read(p)
}
