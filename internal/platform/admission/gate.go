// Package admission decides which calls run now, which wait, and which are refused, so that
// each person and each office gets a fair share of the server.
package admission

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// patience is how long a call waits for its turn.
const patience = 3 * time.Second

// The reasons to refuse a call.
var (
	// ErrBusy means that the server has more calls than it can answer soon.
	ErrBusy = errors.New("the server is busy")
	// ErrShare means that the caller alone has more calls under way than its share.
	ErrShare = errors.New("the caller has too many concurrent requests")
)

// Caller is who makes a call. Calls with equal callers share one queue.
type Caller struct {
	Office string // empty where the person belongs to none
	Person string // a user, or the address of a caller without a session
}

// Limits are the sizes of a gate.
type Limits struct {
	Slots   int // calls that run at once
	Each    int // of one caller
	Waiting int // calls that wait
	Queued  int // of one caller
	// Total bounds the calls of one caller that run, wait, or are away.
	Total int
	// Credit is how long one caller's calls can run in a row, counted together, and Refill
	// what of a second comes back in each. Calls wait for credit. Without it they don't.
	Credit time.Duration
	Refill float64
}

// Shares returns limits with room for slots calls, of which each caller can run so many.
func Shares(slots, each int) Limits {
	return Limits{Slots: slots, Each: min(slots, each), Waiting: 4 * slots, Queued: max(8, slots), Total: max(64, 4*slots)}
}

// Gate shares its slots among callers. Callers that wait take turns, whatever the number of
// calls that each has waiting. An office uses at most half of the slots while callers of
// others wait. A nil Gate lets all calls in.
type Gate struct {
	limits  Limits
	refused func(error)

	mu      sync.Mutex
	running int
	waiting int
	callers map[Caller]*queue
	offices map[string]int // running calls
	turns   []*queue       // with calls that wait, the next turn first
	wake    *time.Timer    // comes when a caller that waits has credit again
}

// queue is what one caller has under way.
type queue struct {
	caller  Caller
	running int
	away    int
	calls   []chan error // that wait, the oldest first; each gets nil or why it is refused
	credit  time.Duration
	at      time.Time // when the credit was counted
}

// New makes a gate. It calls refused for each call that it doesn't let in.
func New(limits Limits, refused func(error)) *Gate {
	return &Gate{limits: limits, refused: refused, callers: map[Caller]*queue{}, offices: map[string]int{}}
}

type slotKey struct{}

// slot is the place of a call that was let in.
type slot struct {
	gate   *Gate
	caller Caller
	outer  *slot // of another gate that the call has passed before
	mu     sync.Mutex
	away   int // how many things of the call wait for something outside
	left   bool
}

// Enter waits for the caller's turn. It returns ErrBusy or ErrShare if the call is
// refused; otherwise call Leave with the context once the call has ended.
func (g *Gate) Enter(ctx context.Context, caller Caller) (context.Context, error) {
	if g == nil {
		return ctx, nil
	}
	if err := g.take(ctx, caller); err != nil {
		g.refused(err)
		return ctx, err
	}
	outer, _ := ctx.Value(slotKey{}).(*slot)
	return context.WithValue(ctx, slotKey{}, &slot{gate: g, caller: caller, outer: outer}), nil
}

// Leave gives up the places of the call that ctx belongs to. It is safe to repeat.
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

func (g *Gate) take(ctx context.Context, caller Caller) error {
	turn, err := g.ask(caller)
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
	case err := <-turn: // just now
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

// ask lets a call in, or returns the channel on which it gets its turn.
func (g *Gate) ask(caller Caller) (turn chan error, err error) {
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

// makeRoom refuses the newest waiting call of the caller with the most of them, if it has
// at least two more than the caller of q.
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

// remove takes a waiting call out of its queue, and the queue out of the turns once it is empty.
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

// isEligible reports whether the caller can run one more call.
func (g *Gate) isEligible(q *queue) bool {
	g.count(q)
	return q.running < g.limits.Each && (g.limits.Credit == 0 || q.credit > 0)
}

// count brings the credit of a caller up to date.
func (g *Gate) count(q *queue) {
	if g.limits.Credit == 0 {
		return
	}
	now := time.Now()
	passed := now.Sub(q.at)
	q.at = now
	q.credit = min(g.limits.Credit, q.credit+time.Duration(g.limits.Refill*float64(passed))-time.Duration(q.running)*passed)
}

func (g *Gate) start(q *queue) {
	g.count(q)
	g.running++
	q.running++
	if q.caller.Office != "" {
		g.offices[q.caller.Office]++
	}
}

// stop frees a slot of the caller and gives it to the next.
func (g *Gate) stop(q *queue) {
	g.count(q)
	g.running--
	q.running--
	if office := q.caller.Office; office != "" {
		if g.offices[office]--; g.offices[office] == 0 {
			delete(g.offices, office)
		}
	}
	g.dispatch()
}

// dispatch lets calls that wait in, as far as there are slots.
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
		if len(q.calls) > 0 { // its next turn comes after the others'
			g.turns = append(append(g.turns[:next], g.turns[next+1:]...), q)
		}
	}
}

// next returns the index of the queue whose turn it is; -1 if no call that waits can run.
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

// wakeLater dispatches again once the first of those who wait for credit alone has some.
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

// forget removes a caller that has no call under way and its whole credit.
func (g *Gate) forget(q *queue) {
	g.count(q)
	if q.running == 0 && q.away == 0 && len(q.calls) == 0 && q.credit == g.limits.Credit {
		delete(g.callers, q.caller)
	}
}

// forgetIdle forgets callers whose credit has come back, now and then.
func (g *Gate) forgetIdle() {
	if g.limits.Credit == 0 || (len(g.callers)+1)%256 != 0 {
		return
	}
	for _, q := range g.callers {
		g.forget(q)
	}
}

// end notes that a call of the caller is over.
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

// Away gives the place of the call that ctx belongs to to others while the call waits for
// something outside of the portal, until back is called. The call then goes on at once.
func Away(ctx context.Context) (back func()) {
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

// move notes that one thing more or less of the call waits outside.
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

// Body is the body of a call: the call takes no place while it waits for it.
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
