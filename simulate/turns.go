package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// turnHeader makes requests take turns: "GROUP MEMBER MEMBERS SEED". Of the requests of a group,
// one runs at a time. At each statement, the seed chooses who goes on. A request that waits for
// another one in the database is passed over.
const turnHeader = "Wcpp-Simulate-Turn"

const (
	// passOver is how long a request has the turn without reaching its next statement.
	passOver = 4 * time.Millisecond
	// arriveWithin is how long a group waits for its members.
	arriveWithin = 50 * time.Millisecond
)

type turns struct {
	mu   sync.Mutex
	open map[string]*turnGroup
}

// turnGroup is a group of requests that run at the same time.
type turnGroup struct {
	mu      sync.Mutex
	random  *rand.Rand
	members []*turnMember // by number; nil until it arrives
	running *turnMember
	begun   bool // all have arrived, or had the time to
	turn    int  // counts the turns
}

type turnMember struct {
	group *turnGroup
	goOn  chan struct{} // while it waits
	done  bool
}

type memberKey struct{}

func memberOf(ctx context.Context) *turnMember {
	m, _ := ctx.Value(memberKey{}).(*turnMember)
	return m
}

// join adds a request to its group, if it has one. The caller must call done.
func (t *turns) join(r *http.Request) (ctx context.Context, done func()) {
	part := strings.Fields(r.Header.Get(turnHeader))
	if len(part) != 4 {
		return r.Context(), func() {}
	}
	number, _ := strconv.Atoi(part[1])
	count, _ := strconv.Atoi(part[2])
	seed, _ := strconv.ParseUint(part[3], 10, 64)
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.open[part[0]]
	if g == nil {
		g = &turnGroup{random: rand.New(rand.NewPCG(seed, 5)), members: make([]*turnMember, count)}
		t.open[part[0]] = g
		time.AfterFunc(arriveWithin, g.begin)
	}
	m := &turnMember{group: g}
	g.mu.Lock()
	defer g.mu.Unlock()
	// A repeated request doesn't take the place of one that still runs, which would then wait forever.
	if number >= len(g.members) || g.members[number] != nil && !g.members[number].done {
		return r.Context(), func() {}
	}
	g.members[number] = m
	return context.WithValue(r.Context(), memberKey{}, m), m.leave
}

func (g *turnGroup) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = true
	g.next(g.turn)
}

// wait returns when it's the member's turn.
func (m *turnMember) wait() {
	g := m.group
	g.mu.Lock()
	if m.done || m.goOn != nil { // another goroutine of the request waits already
		g.mu.Unlock()
		return
	}
	m.goOn = make(chan struct{})
	goOn := m.goOn
	if g.running == m {
		g.running = nil
	}
	g.next(g.turn)
	g.mu.Unlock()
	<-goOn
}

func (m *turnMember) leave() {
	g := m.group
	g.mu.Lock()
	defer g.mu.Unlock()
	m.done = true
	if g.running == m {
		g.running = nil
	}
	g.next(g.turn)
}

// next passes the turn on if it's free, and everyone who could take it has arrived. After its
// time, it's passed on in any case.
func (g *turnGroup) next(turn int) {
	if g.turn != turn || g.running != nil {
		return
	}
	var waiting []*turnMember
	for _, m := range g.members {
		switch {
		case !g.begun && (m == nil || !m.done && m.goOn == nil):
			return
		case m != nil && m.goOn != nil:
			waiting = append(waiting, m)
		}
	}
	if len(waiting) == 0 {
		return
	}
	g.begun = true
	g.turn++
	m := waiting[g.random.IntN(len(waiting))]
	g.running = m
	close(m.goOn)
	m.goOn = nil
	over := g.turn
	time.AfterFunc(passOver, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.turn == over && g.running == m {
			g.running = nil
			g.next(over)
		}
	})
}
