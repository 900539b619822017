package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/jellydator/ttlcache/v3"
	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// Shares are how the server is shared.
type Shares struct {
	Calls int // that need a session and run at once
	Each  int // of one person; 0: one for each processor, 2 at least
	// ExpensiveCalls are those that one person can make in an hour; 0: no limit.
	ExpensiveCalls int
	// ExpensivePercent is for how much of the time a person's expensive calls can run in the
	// long run; 0 and 100: always.
	ExpensivePercent int
	// SessionStreams and PersonStreams are the event streams that are open at once.
	SessionStreams, PersonStreams int
}

// gates decides which requests run now. Each class of calls has slots of its own.
type gates struct {
	people    *admission.Gate // with a session
	expensive *admission.Gate // of those, whose cost grows with what is asked for; they pass people as well
	streams   *admission.Gate // beginnings of event streams
	strangers *admission.Gate // without a session
	budget    *ratelimit.Limiter
	open      *openStreams
	callers   *ttlcache.Cache[session, admission.Caller] // of sessions that were used last
}

// session is the hash of a session's token.
type session [sha256.Size]byte

// knownFor is how long it is remembered whose session it is, and knownSessions of how many.
const (
	knownFor      = time.Minute
	knownSessions = 10_000
)

// shortWait is when a call that was refused for its caller's share can come again.
const shortWait = 3 * time.Second

// Bound shares the server among people, offices and addresses. Calls beyond a share wait
// for their turn for a moment, and are then refused: with 429 where the caller alone has
// too many under way, with 503 where the server is busy. What is streamed once an operation
// has ended doesn't count, nor what waits for another system or for the rest of a body.
func (a *API) Bound(s Shares, metrics prometheus.Registerer) {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "wcpp_requests_refused_total", Help: "Requests rejected by admission control, by class and reason: busy (the server) or share (too many requests by this caller).",
	}, []string{"class", "reason"})
	metrics.MustRegister(refused)
	of := func(class string, l admission.Limits) *admission.Gate {
		return admission.New(l, func(err error) {
			reason := "busy"
			if errors.Is(err, admission.ErrShare) {
				reason = "share"
			}
			refused.WithLabelValues(class, reason).Inc()
		})
	}
	each := s.Each
	if each == 0 {
		each = max(2, runtime.GOMAXPROCS(0))
	}
	quarter := max(8, s.Calls/4)
	a.gates = gates{
		people: of("people", admission.Shares(s.Calls, each)),
		// Half of the processors at most work for one person's searches: others notice little.
		expensive: of("expensive", s.expensiveLimits(quarter, max(1, each/2))),
		streams:   of("streams", admission.Shares(quarter, each)),
		// An address is often an office, whose people all sign in at eight.
		strangers: of("strangers", admission.Limits{Slots: quarter, Each: quarter / 2, Waiting: 16 * quarter, Queued: 8 * quarter, Total: 16 * quarter}),
		open:      &openStreams{perSession: s.SessionStreams, perPerson: s.PersonStreams, open: map[any]int{}},
		callers:   ttlcache.New(ttlcache.WithTTL[session, admission.Caller](knownFor), ttlcache.WithCapacity[session, admission.Caller](knownSessions), ttlcache.WithDisableTouchOnHit[session, admission.Caller]()),
	}
	if s.ExpensiveCalls > 0 {
		a.gates.budget = ratelimit.Hourly(s.ExpensiveCalls)
	}
}

// expensiveLimits let a person's expensive calls run for 5 seconds in a row.
func (s Shares) expensiveLimits(slots, each int) admission.Limits {
	l := admission.Shares(slots, each)
	if s.ExpensivePercent > 0 && s.ExpensivePercent < 100 {
		l.Credit, l.Refill = 5*time.Second, float64(s.ExpensivePercent)/100
	}
	return l
}

// admit waits for the call's turn. Once it has ended, gate.Leave must be called with the
// context that is returned.
func (a *API) admit(ctx context.Context, op Operation, c Credentials) (context.Context, error) {
	stranger := admission.Caller{Person: Source(ctx)}
	if op.Access == Public {
		return a.strangersTurn(ctx, stranger)
	}
	caller, known, err := a.callerOf(ctx, c, stranger)
	if err != nil {
		return ctx, err
	}
	switch {
	case !known: // its answer is a refusal
		return a.strangersTurn(ctx, stranger)
	case op.Stream:
		ctx, err = a.gates.streams.Enter(ctx, caller)
	case op.Expensive:
		if ctx, err = a.gates.expensive.Enter(ctx, caller); err == nil {
			ctx, err = a.gates.people.Enter(ctx, caller)
		}
	default:
		ctx, err = a.gates.people.Enter(ctx, caller)
	}
	if err != nil {
		admission.Leave(ctx)
		return ctx, refusal(err, "You have too many requests in progress. Wait for them to finish, then try again.")
	}
	return ctx, nil
}

func (a *API) strangersTurn(ctx context.Context, caller admission.Caller) (context.Context, error) {
	ctx, err := a.gates.strangers.Enter(ctx, caller)
	return ctx, refusal(err, "There are too many requests from your network. Wait a few seconds, then try again.")
}

// callerOf returns whose session it is. One that isn't remembered is looked up in the share
// of its address, so that invented tokens take no one else's.
func (a *API) callerOf(ctx context.Context, c Credentials, stranger admission.Caller) (admission.Caller, bool, error) {
	if c.token() == "" || a.gates.callers == nil {
		return stranger, a.gates.callers == nil, nil
	}
	if item := a.gates.callers.Get(c.session()); item != nil {
		return item.Value(), true, nil
	}
	ctx, err := a.strangersTurn(ctx, stranger)
	if err != nil {
		return stranger, false, err
	}
	defer admission.Leave(ctx)
	caller, known := a.guard.Caller(ctx, c)
	if known {
		a.gates.callers.Set(c.session(), caller, ttlcache.DefaultTTL)
	}
	return caller, known, nil
}

// Admit lets the requests of a handler in by the share of their address.
func (a *API) Admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, err := a.strangersTurn(r.Context(), admission.Caller{Person: Source(r.Context())})
		if err != nil {
			WriteProblem(w, r, problem.From(err))
			return
		}
		defer admission.Leave(ctx)
		r = r.WithContext(ctx)
		r.Body = admission.Body(ctx, r.Body)
		next.ServeHTTP(w, r)
	})
}

// refusal is what a caller reads whose call isn't let in.
func refusal(err error, share string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, admission.ErrShare):
		return problem.Later(shortWait, share)
	}
	return problem.Say(problem.Unavailable, "The portal is very busy. Try again in a few seconds.")
}

// budgeted refuses an expensive call of a person who has made too many.
func (a *API) budgeted(op Operation, person string) error {
	if !op.Expensive || a.gates.budget == nil || a.gates.budget.Allow(person) {
		return nil
	}
	return problem.Later(time.Minute, "You've made too many searches and exports. Wait a minute, then try again.")
}

// openStreams counts the event streams that are open.
type openStreams struct {
	perSession, perPerson int
	mu                    sync.Mutex
	open                  map[any]int // by session, and by person
}

// begin counts a stream until end is called.
func (o *openStreams) begin(of session, person string) (end func(), err error) {
	if o == nil || o.perSession == 0 {
		return func() {}, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open[of] >= o.perSession || o.open[person] >= o.perPerson {
		return nil, problem.Later(time.Minute, "The portal is open in too many tabs. Close some of them, then reload the page.")
	}
	o.open[of]++
	o.open[person]++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, key := range []any{of, person} {
			if o.open[key]--; o.open[key] == 0 {
				delete(o.open, key)
			}
		}
	}, nil
}

// credentials are what a request shows of its session.
func credentials(hc huma.Context, op Operation) Credentials {
	if bearer, ok := strings.CutPrefix(hc.Header("Authorization"), "Bearer "); ok {
		return Credentials{Bearer: bearer}
	}
	if !op.Cookie {
		return Credentials{}
	}
	cookie, err := huma.ReadCookie(hc, SessionCookie)
	if err != nil {
		return Credentials{}
	}
	return Credentials{Cookie: cookie.Value}
}

func (c Credentials) token() string { return c.Bearer + c.Cookie } // one of them is empty

func (c Credentials) session() session { return sha256.Sum256([]byte(c.token())) }
