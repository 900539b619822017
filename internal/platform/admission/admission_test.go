package admission

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func person(name string) Caller { return Caller{Person: name} }

// run uses a slot for a while and returns how long it waited for the slot.
func run(t *testing.T, g *Gate, who Caller, lasting time.Duration) (waited time.Duration, err error) {
	t.Helper()
	began := time.Now()
	ctx, err := g.Enter(t.Context(), who)
	if err != nil {
		return 0, err
	}
	waited = time.Since(began)
	time.Sleep(lasting)
	Leave(ctx)
	return waited, nil
}

// A user with 200 connections delays others by at most one request. Requests beyond the user's
// queue are refused with ErrShare.
func TestOnePersonDelaysNoOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(NewLimits(8, 2), func(error) {})
		var greedy sync.WaitGroup
		stop := make(chan struct{})
		var mu sync.Mutex
		refused := 0
		for range 200 {
			greedy.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if _, err := run(t, g, person("greedy"), 100*time.Millisecond); err != nil {
						assert.ErrorIs(t, err, ErrShare)
						mu.Lock()
						refused++
						mu.Unlock()
						time.Sleep(10 * time.Millisecond)
					}
				}
			})
		}
		time.Sleep(time.Second)
		for n := range 40 {
			if waited, err := run(t, g, person(fmt.Sprint(n)), time.Millisecond); err != nil || waited > 0 {
				t.Errorf("another person waited %s: %v", waited, err)
			}
		}
		close(stop)
		greedy.Wait()
		assert.NotEqual(t, 0, refused, "no call of the greedy person was refused")
		empty(t, g)
	})
}

// Waiting callers take turns, however many requests each has.
func TestCallersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Slots: 1, Each: 1, Waiting: 100, Queued: 50, Total: 100}, func(error) {})
		first, _ := g.Enter(t.Context(), person("first"))
		var order []string
		var done sync.WaitGroup
		for _, who := range []string{"a", "a", "a", "b", "c", "c"} {
			done.Go(func() {
				ctx, err := g.Enter(t.Context(), person(who))
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, who) // one at a time
				Leave(ctx)
			})
			synctest.Wait()
		}
		Leave(first)
		done.Wait()
		assert.Equal(t, "[a b c a c a]", fmt.Sprint(order))
		empty(t, g)
	})
}

// While others wait, a large office uses half of the slots. Alone, it uses all of them, because
// an office of 40 isn't one person.
func TestOfficesShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(NewLimits(8, 2), func(error) {})
		var office []context.Context
		for n := range 8 {
			ctx, err := g.Enter(t.Context(), Caller{"large", fmt.Sprint(n)})
			require.NoError(t, err)
			office = append(office, ctx)
		}
		in := make(chan string, 100)
		var done sync.WaitGroup
		wait := func(c Caller) {
			done.Go(func() {
				ctx, err := g.Enter(t.Context(), c)
				if err != nil {
					t.Error(err)
					return
				}
				in <- c.Office
				time.Sleep(time.Second)
				Leave(ctx)
			})
			synctest.Wait()
		}
		for n := range 20 {
			wait(Caller{"large", fmt.Sprint("other ", n)})
		}
		wait(Caller{"small", "one"})
		Leave(office[0]) // 7 requests of the large office run, so the small office is next
		synctest.Wait()
		assert.Equal(t, "small", <-in)
		Leave(office[1])
		synctest.Wait()
		assert.Equal(t, "large", <-in)
		for _, ctx := range office {
			Leave(ctx)
		}
		done.Wait()
		empty(t, g)
	})
}

// A full queue makes room for a caller with fewer requests, and refuses others as busy.
func TestFullQueueMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Slots: 1, Each: 1, Waiting: 4, Queued: 4, Total: 10}, func(error) {})
		first, _ := g.Enter(t.Context(), person("first"))
		answers := map[string]chan error{}
		ask := func(who string) {
			if answers[who] == nil {
				answers[who] = make(chan error, 10)
			}
			go func() {
				ctx, err := g.Enter(t.Context(), person(who))
				answers[who] <- err
				Leave(ctx)
			}()
			synctest.Wait()
		}
		for range 4 {
			ask("many")
		}
		ask("many")
		assert.ErrorIs(t, <-answers["many"], ErrShare)
		ask("b")
		assert.ErrorIs(t, <-answers["many"], ErrShare)
		ask("c")
		assert.ErrorIs(t, <-answers["many"], ErrShare)
		ask("d")
		assert.ErrorIs(t, <-answers["many"], ErrShare)
		ask("e")
		assert.ErrorIs(t, <-answers["e"], ErrBusy)
		Leave(first)
		synctest.Wait()
		for _, who := range []string{"many", "b", "c", "d"} {
			assert.NoError(t, <-answers[who], who)
		}
		empty(t, g)
	})
}

// A caller that times out or cancels leaves its turn to the next one.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(NewLimits(1, 1), func(error) {})
		first, _ := g.Enter(t.Context(), person("a"))
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error, 3)
		for n, who := range []string{"b", "b", "a"} {
			go func() {
				ctx := ctx
				if n > 0 {
					ctx = t.Context()
				}
				_, err := g.Enter(ctx, person(who))
				answers <- err
			}()
			synctest.Wait()
		}
		cancel()
		assert.Error(t, <-answers, "a caller that has given up is let in")
		began := time.Now()
		both := errors.Join(<-answers, <-answers)
		assert.Equal(t, patience, time.Since(began))
		if !errors.Is(both, ErrBusy) || !errors.Is(both, ErrShare) {
			t.Error(both)
		}
		Leave(first)
		Leave(first)
		if next, err := g.Enter(t.Context(), person("b")); err != nil {
			t.Error("the place of a call that left is taken")
		} else {
			Leave(next)
		}
		empty(t, g)
	})
}

// A request that waits for an external system uses no slot, but counts toward its caller's
// total.
func TestWaitingOutsideTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Slots: 1, Each: 1, Waiting: 1, Queued: 1, Total: 2}, func(error) {})
		a := person("a")
		ctx, _ := g.Enter(t.Context(), a)
		back := Pause(ctx)
		also := Pause(ctx) // two external waits at the same time
		other, err := g.Enter(t.Context(), a)
		require.NoError(t, err, "the place isn't free")
		if _, err := g.Enter(t.Context(), a); !errors.Is(err, ErrShare) {
			t.Errorf("more calls than the total: %v", err)
		}
		also()
		back() // without waiting, although the slot is in use
		assert.Equal(t, 2, g.running)
		Leave(ctx)
		Pause(ctx)() // streaming after the request
		assert.Equal(t, 1, g.running)
		back = Pause(other)
		Leave(other) // while it waits
		back()
		empty(t, g)
		ctx, _ = g.Enter(t.Context(), a)
		sent, sending := io.Pipe()
		go func() { _, _ = io.ReadAll(WrapBody(ctx, sent)) }()
		synctest.Wait()
		assert.Equal(t, 0, g.running, "a call whose body doesn't come takes a place")
		_ = sending.Close()
		synctest.Wait()
		assert.Equal(t, 1, g.running)
		Leave(ctx)
		Pause(context.Background())() // for a job
		Leave(context.Background())
		if _, err := (*Gate)(nil).Enter(t.Context(), a); err != nil {
			t.Error("a gate without limits refuses a call")
		}
		empty(t, g)
	})
}

// A request through two gates uses a slot in both, and frees both.
func TestTwoGates(t *testing.T) {
	outer, inner := New(NewLimits(1, 1), func(error) {}), New(NewLimits(2, 2), func(error) {})
	ctx, err := outer.Enter(t.Context(), person("a"))
	require.NoError(t, err)
	if ctx, err = inner.Enter(ctx, person("a")); err != nil || outer.running != 1 || inner.running != 1 {
		t.Fatalf("%v: %d, %d", err, outer.running, inner.running)
	}
	back := Pause(ctx)
	if outer.running != 0 || inner.running != 0 {
		t.Errorf("away: %d, %d", outer.running, inner.running)
	}
	back()
	Leave(ctx)
	empty(t, outer)
	empty(t, inner)
}

// Limits always apply, the next request never waits when it could run, and no state remains at
// the end.
func TestLimitsAreKept(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			limits := Limits{Slots: 1 + random.IntN(6), Waiting: 1 + random.IntN(20), Queued: 1 + random.IntN(8),
				Total: 1 + random.IntN(20)}
			limits.Each = 1 + random.IntN(limits.Slots)
			g := New(limits, func(error) {})
			var calls sync.WaitGroup
			for range 400 {
				who := Caller{fmt.Sprint(random.IntN(3)), fmt.Sprint(random.IntN(6))}
				lasting, patient := time.Duration(random.IntN(200))*time.Millisecond, time.Duration(random.IntN(400))*time.Millisecond
				outside := random.IntN(4) == 0
				calls.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patient)
					defer cancel()
					ctx, err := g.Enter(ctx, who)
					if err != nil {
						return
					}
					if outside {
						back := Pause(ctx)
						time.Sleep(lasting)
						Leave(ctx)
						back()
						return
					}
					time.Sleep(lasting)
					Leave(ctx)
				})
				if random.IntN(3) == 0 {
					time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
				}
				synctest.Wait()
				g.mu.Lock()
				waiting, running := 0, 0
				for c, q := range g.callers {
					waiting, running = waiting+len(q.calls), running+q.running
					if q.running > limits.Each || len(q.calls) > limits.Queued || q.running+q.away+len(q.calls) > limits.Total {
						t.Errorf("seed %d: %v has %+v of %+v", seed, c, q, limits)
					}
					if len(q.calls) > 0 && q.running < limits.Each && g.running < limits.Slots {
						t.Errorf("seed %d: %v waits while it could run", seed, c)
					}
				}
				if waiting != g.waiting || running != g.running || waiting > limits.Waiting || running > limits.Slots {
					t.Errorf("seed %d: %d of %d wait, %d of %d run, of %+v", seed, waiting, g.waiting, running, g.running, limits)
				}
				g.mu.Unlock()
			}
			calls.Wait()
			empty(t, g)
		})
	}
}

func empty(t *testing.T, g *Gate) {
	t.Helper()
	if g.running != 0 || g.waiting != 0 || len(g.callers) != 0 || len(g.offices) != 0 || len(g.turns) != 0 {
		t.Errorf("%d run, %d wait, %d callers, %d offices, %d turns", g.running, g.waiting, len(g.callers), len(g.offices), len(g.turns))
	}
}

// A caller with many waiting requests runs only as much as is refilled, from the beginning.
func TestManyWaitingRequestsHaveNoCredit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Slots: 8, Each: 1, Waiting: 32, Queued: 8, Total: 64, Credit: 5 * time.Second, Refill: 0.25}, func(error) {})
		ran := make(chan time.Duration, 1000)
		began := time.Now()
		var greedy sync.WaitGroup
		for range 8 {
			greedy.Go(func() {
				for time.Since(began) < 20*time.Second {
					if _, err := run(t, g, person("greedy"), 100*time.Millisecond); err == nil {
						ran <- 100 * time.Millisecond
					}
				}
			})
		}
		greedy.Wait()
		if total := time.Duration(len(ran)) * 100 * time.Millisecond; total < 4*time.Second || total > 7*time.Second {
			t.Errorf("it ran %s of 20 s, want about a quarter", total)
		}
	})
}

// A caller without credit runs only as much as is refilled, and doesn't affect others. Credit is
// refilled while the caller is idle.
func TestCreditIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Slots: 8, Each: 2, Waiting: 32, Queued: 8, Total: 64, Credit: 2 * time.Second, Refill: 0.25}, func(error) {})
		began, ran := time.Now(), time.Duration(0)
		var greedy sync.WaitGroup
		var mu sync.Mutex
		for range 6 {
			greedy.Go(func() {
				for time.Since(began) < 20*time.Second {
					if _, err := run(t, g, person("greedy"), 100*time.Millisecond); err == nil {
						mu.Lock()
						ran += 100 * time.Millisecond
						mu.Unlock()
					}
				}
			})
		}
		time.Sleep(10 * time.Second)
		if waited, err := run(t, g, person("other"), time.Millisecond); err != nil || waited > 0 {
			t.Errorf("another person waited %s: %v", waited, err)
		}
		greedy.Wait()
		if ran < 6*time.Second || ran > 9*time.Second { // 2 s of credit plus a quarter of 20 s
			t.Errorf("it ran %s", ran)
		}
		time.Sleep(20 * time.Second)
		for range 10 {
			if waited, err := run(t, g, person("greedy"), 100*time.Millisecond); err != nil || waited > 0 {
				t.Errorf("after a while it waited %s: %v", waited, err)
			}
		}
		time.Sleep(20 * time.Second)
		for n := range 300 {
			if _, err := run(t, g, person(fmt.Sprint(n)), time.Millisecond); err != nil {
				t.Error(err)
			}
		}
		assert.LessOrEqual(t, len(g.callers), 256)
	})
}
