package gate

import (
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// As many work at once as may, four times as many wait, in their turn, and all others are
// refused at once.
func TestManyComeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := 0
		g := New(3, func() { refused++ })
		var mu sync.Mutex
		working, most, done := 0, 0, 0
		var order []int
		for n := range 20 {
			go func() {
				ctx, ok := g.Enter(t.Context())
				if !ok {
					return
				}
				mu.Lock()
				working++
				most, order = max(most, working), append(order, n)
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				mu.Lock()
				working--
				done++
				mu.Unlock()
				Leave(ctx)
			}()
			synctest.Wait() // one comes after the other
		}
		if refused != 5 {
			t.Errorf("%v were refused at once", refused)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if most != 3 || done != 15 {
			t.Errorf("%d at once, %d in all", most, done)
		}
		for n, who := range order {
			if n/3 != who/3 { // three come in together
				t.Errorf("not in their turn: %v", order)
				break
			}
		}
	})
}

// Nobody waits for ever: who is late, or has given up, leaves the place to the next.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(1, func() {})
		first, _ := g.Enter(t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan bool, 2)
		for _, ctx := range []context.Context{ctx, t.Context()} {
			go func() {
				_, ok := g.Enter(ctx)
				answers <- ok
			}()
			synctest.Wait()
		}
		cancel()
		if <-answers {
			t.Error("who has given up is let in")
		}
		began := time.Now()
		if ok := <-answers; ok || time.Since(began) != patience {
			t.Errorf("%v after %s", ok, time.Since(began))
		}
		Leave(first)
		Leave(first)
		if next, ok := g.Enter(t.Context()); !ok {
			t.Error("the place of those who left is taken")
		} else {
			Leave(next)
		}
		if g.working != 0 || g.waiting.Len() != 0 {
			t.Errorf("%d work, %d wait", g.working, g.waiting.Len())
		}
	})
}

// A call that waits for another system takes nobody's place.
func TestWhatWaitsOutsideTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(1, func() {})
		ctx, _ := g.Enter(t.Context())
		back := Away(ctx)
		also := Away(ctx) // two things at once
		other, ok := g.Enter(t.Context())
		if !ok {
			t.Fatal("nobody else is let in")
		}
		also()
		back() // at once, though the place is taken
		if g.working != 2 {
			t.Errorf("%d work", g.working)
		}
		Leave(ctx)
		Away(ctx)() // what is streamed after the call
		if g.working != 1 {
			t.Errorf("%d work", g.working)
		}
		back = Away(other)
		Leave(other) // while it waits
		back()
		if g.working != 0 {
			t.Errorf("%d work", g.working)
		}
		ctx, _ = g.Enter(t.Context())
		sent, sending := io.Pipe()
		go func() { _, _ = io.ReadAll(Body(ctx, sent)) }()
		synctest.Wait()
		if g.working != 0 {
			t.Error("a call whose body does not come takes a place")
		}
		_ = sending.Close()
		synctest.Wait()
		if g.working != 1 {
			t.Errorf("%d work", g.working)
		}
		Leave(ctx)
		Away(context.Background())() // of a job
		Leave(context.Background())
		for _, open := range []*Gate{nil, {}} {
			if _, ok := open.Enter(t.Context()); !ok {
				t.Error("a gate without a limit lets nobody in")
			}
		}
	})
}
