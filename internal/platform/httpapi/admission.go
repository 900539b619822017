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

// Shares configure how users share the server.
type Shares struct {
	Calls int // concurrent requests with a session
	Each  int // per user; 0: one for each processor, at least 2
	// ExpensiveCalls is the maximum number of expensive requests per user and hour; 0: no limit.
	ExpensiveCalls int
	// ExpensivePercent is the long-term percentage of time in which a user's expensive requests
	// can run; 0 and 100: no limit.
	ExpensivePercent int
	// SessionStreams and PersonStreams are the maximum numbers of open event streams.
	SessionStreams, PersonStreams int
}

// gates decides which requests run now. Each class of requests has its own slots.
type gates struct {
	people    *admission.Gate // with a session
	expensive *admission.Gate // those with a cost that grows with the input; they also pass people
	streams   *admission.Gate // starts of event streams
	strangers *admission.Gate // without a session
	budget    *ratelimit.Limiter
	open      *openStreams
	callers   *ttlcache.Cache[session, admission.Caller] // of recently used sessions
}

// session is the hash of a session's token.
type session [sha256.Size]byte

// knownFor is how long the caller of a session is cached, and knownSessions for how many
// sessions.
const (
	knownFor      = time.Minute
	knownSessions = 10_000
)

// shortWait is the retry delay of a request that exceeds its caller's share.
const shortWait = 3 * time.Second

// newGates shares the server among users, offices, and client addresses. Requests beyond a share
// wait briefly for their turn and are then refused. The status is 429 if the caller has too many
// requests, and 503 if the server is busy. Streaming after an operation doesn't count. Waiting
// for an external system or for the rest of a body doesn't count either.
func newGates(s Shares, metrics prometheus.Registerer) gates {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "wcpp_requests_refused_total",
		Help: "Requests rejected by admission control, by class and reason: busy (the server) or share (too many requests by this caller).",
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
	g := gates{
		people: of("people", admission.NewLimits(s.Calls, each)),
		// One user's searches use up to half of the processors, so that others notice little.
		expensive: of("expensive", s.expensiveLimits(quarter, max(1, each/2))),
		streams:   of("streams", admission.NewLimits(quarter, each)),
		// A client address is often an office where everyone signs in at eight.
		strangers: of("strangers", admission.Limits{Slots: quarter, Each: quarter / 2, Waiting: 16 * quarter, Queued: 8 * quarter,
			Total: 16 * quarter}),
		open: &openStreams{perSession: s.SessionStreams, perPerson: s.PersonStreams, open: map[any]int{}},
		callers: ttlcache.New(ttlcache.WithTTL[session, admission.Caller](knownFor),
			ttlcache.WithCapacity[session, admission.Caller](knownSessions), ttlcache.WithDisableTouchOnHit[session, admission.Caller]()),
	}
	if s.ExpensiveCalls > 0 {
		g.budget = ratelimit.Hourly(s.ExpensiveCalls)
	}
	return g
}

// expensiveLimits returns limits that allow 5 seconds of expensive requests in a row.
func (s Shares) expensiveLimits(slots, each int) admission.Limits {
	l := admission.NewLimits(slots, each)
	if s.ExpensivePercent > 0 && s.ExpensivePercent < 100 {
		l.Credit, l.Refill = 5*time.Second, float64(s.ExpensivePercent)/100
	}
	return l
}

// admit waits for the request's turn. Afterwards, call gate.Leave with the returned context.
func (a *API) admit(ctx context.Context, op Operation, c Credentials) (context.Context, error) {
	stranger := admission.Caller{Person: Source(ctx)}
	if op.Access == Public {
		return a.awaitStrangerTurn(ctx, stranger)
	}
	caller, known, err := a.findCaller(ctx, c, stranger)
	if err != nil {
		return ctx, err
	}
	switch {
	case !known: // an error response follows
		return a.awaitStrangerTurn(ctx, stranger)
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
		return ctx, newRefusal(err, "You have too many requests in progress. Wait for them to finish, then try again.")
	}
	return ctx, nil
}

func (a *API) awaitStrangerTurn(ctx context.Context, caller admission.Caller) (context.Context, error) {
	ctx, err := a.gates.strangers.Enter(ctx, caller)
	return ctx, newRefusal(err, "There are too many requests from your network. Wait a few seconds, then try again.")
}

// findCaller returns the user of a session. It looks up unknown sessions within the share of the
// client address, so that invented tokens don't use other shares.
func (a *API) findCaller(ctx context.Context, c Credentials, stranger admission.Caller) (admission.Caller, bool, error) {
	if c.token() == "" || a.gates.callers == nil {
		return stranger, a.gates.callers == nil, nil
	}
	if item := a.gates.callers.Get(c.session()); item != nil {
		return item.Value(), true, nil
	}
	ctx, err := a.awaitStrangerTurn(ctx, stranger)
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

// Admit limits the requests of a handler by client address.
func (a *API) Admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, err := a.awaitStrangerTurn(r.Context(), admission.Caller{Person: Source(r.Context())})
		if err != nil {
			WriteProblem(w, r, problem.From(err))
			return
		}
		defer admission.Leave(ctx)
		r = r.WithContext(ctx)
		r.Body = admission.WrapBody(ctx, r.Body)
		next.ServeHTTP(w, r)
	})
}

func newRefusal(err error, share string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, admission.ErrShare):
		return problem.RetryLater(shortWait, share)
	}
	return problem.WithMessage(problem.Unavailable, "The portal is very busy. Try again in a few seconds.")
}

// checkBudget refuses an expensive request if the user's budget is used up.
func (a *API) checkBudget(op Operation, person string) error {
	if !op.Expensive || a.gates.budget == nil || a.gates.budget.Allow(person) {
		return nil
	}
	return problem.RetryLater(time.Minute, "You've made too many searches and exports. Wait a minute, then try again.")
}

type openStreams struct {
	perSession, perPerson int
	mu                    sync.Mutex
	open                  map[any]int // by session, and by user
}

// begin counts a stream until end is called.
func (o *openStreams) begin(of session, person string) (end func(), err error) {
	if o == nil || o.perSession == 0 {
		return func() {}, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open[of] >= o.perSession || o.open[person] >= o.perPerson {
		return nil, problem.RetryLater(time.Minute, "The portal is open in too many tabs. Close some of them, then reload the page.")
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

// sessionCheckEvery is how often the session of an open stream is checked.
const sessionCheckEvery = 15 * time.Second

// cancelAfterSession cancels a stream's context once its session isn't current, so that an idle
// page doesn't stay open after a reset or sign-out elsewhere. It returns when the context ends.
func cancelAfterSession(ctx context.Context, cancel context.CancelFunc, isCurrent func(context.Context) bool) {
	ticker := time.NewTicker(sessionCheckEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if !isCurrent(ctx) {
				cancel()
				return
			}
		}
	}
}

func readCredentials(hc huma.Context, op Operation) Credentials {
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

func (c Credentials) token() string { return c.Bearer + c.Cookie } // only one of them is set

func (c Credentials) session() session { return sha256.Sum256([]byte(c.token())) }
