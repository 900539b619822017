package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crowded is an API with 8 slots, and 2 per user.
type crowded struct {
	mux      *http.ServeMux
	registry *prometheus.Registry
	held     chan struct{} // closed: blocked requests end
	working  chan struct{} // receives a value for each request that starts
	streamed chan struct{} // closed: streams end
}

func crowd() crowded {
	c := crowded{http.NewServeMux(), prometheus.NewRegistry(), make(chan struct{}), make(chan struct{}, 1000), make(chan struct{})}
	api := New(c.mux, Deps{Guard: lettingIn{}, Log: slog.New(slog.DiscardHandler), Metrics: c.registry}, Settings{
		Title: "test", Version: "1", Shares: Shares{Calls: 8, Each: 2, ExpensiveCalls: 3, SessionStreams: 2, PersonStreams: 3}})
	op := func(id, access string) Operation {
		return Operation{ID: id, Method: http.MethodGet, Path: "/" + id, Access: access, Effect: Read}
	}
	hold := func(context.Context, *struct{}) (*struct{}, error) {
		c.working <- struct{}{}
		<-c.held
		return nil, nil
	}
	Register(api, op("hold", "known"), hold)
	Register(api, op("hold-public", Public), hold)
	Register(api, op("quick", "known"), func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	Register(api, op("public", Public), func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	expensive := op("expensive", "known")
	expensive.Expensive = true
	Register(api, expensive, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
	stream := op("stream", "known")
	stream.Stream = true
	Register(api, stream, func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(huma.Context) { c.working <- struct{}{}; <-c.streamed }}, nil
	})
	return c
}

func (c crowded) ask(path, token string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/api/"+path, nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	c.mux.ServeHTTP(w, r)
	return w
}

func want(t *testing.T, what string, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	assert.Equalf(t, status, w.Code, "%s: %d %s", what, w.Code, w.Body)
	if status >= 400 && w.Header().Get("Retry-After") == "" {
		t.Errorf("%s: no Retry-After", what)
	}
}

// If one user has too many requests, the next one is refused with 429 and Retry-After. Other
// users, clients without a session, and event streams get responses.
func TestOnePersonHasTooManyCalls(t *testing.T) {
	c := crowd()
	var answers sync.WaitGroup
	for range 2 {
		answers.Go(func() { want(t, "a call that runs", c.ask("hold", "ada"), http.StatusNoContent) })
		<-c.working
	}
	codes := make(chan *httptest.ResponseRecorder, 100)
	for range 20 { // 8 of them wait
		answers.Go(func() { codes <- c.ask("hold", "ada") })
	}
	for range 12 {
		w := <-codes
		want(t, "a call beyond the share", w, http.StatusTooManyRequests)
		assert.Contains(t, w.Body.String(), "You have too many requests in progress.", w.Body)
	}
	want(t, "another person", c.ask("quick", "grace"), http.StatusNoContent)
	want(t, "a stranger", c.ask("public", ""), http.StatusNoContent)
	go c.ask("stream", "ada")
	<-c.working
	close(c.streamed)
	close(c.held)
	answers.Wait()
	for range 8 {
		want(t, "a call that waited", <-codes, http.StatusNoContent)
	}
	c.counted(t, "people", "share", 12)
}

// If many users have requests, more are refused with 503. Clients without a session have their
// own share, and one client address can use half of it.
func TestManyPeopleHaveTooManyCalls(t *testing.T) {
	c := crowd()
	var answers sync.WaitGroup
	for n := range 8 {
		answers.Go(func() { want(t, "a call that runs", c.ask("hold", strconv.Itoa(n)), http.StatusNoContent) })
		<-c.working
	}
	codes := make(chan *httptest.ResponseRecorder, 100)
	for n := range 40 { // 32 of them wait
		answers.Go(func() { codes <- c.ask("hold", "other"+strconv.Itoa(n)) })
	}
	for range 8 {
		want(t, "a call beyond the queue", <-codes, http.StatusServiceUnavailable)
	}
	want(t, "a stranger", c.ask("public", ""), http.StatusNoContent)
	for range 4 {
		answers.Go(func() { c.ask("hold-public", "") })
		<-c.working
	}
	for range 66 { // 64 of them wait
		answers.Go(func() { codes <- c.ask("hold-public", "") })
	}
	for range 2 {
		want(t, "an address beyond its share", <-codes, http.StatusTooManyRequests)
	}
	want(t, "a call without a session", c.ask("stream", ""), http.StatusTooManyRequests)
	close(c.held)
	answers.Wait()
	c.counted(t, "people", "busy", 8)
	c.counted(t, "strangers", "share", 3)
}

// Expensive requests have a budget, and event streams are counted by session and user.
func TestBudgetAndStreams(t *testing.T) {
	c := crowd()
	for range 3 {
		want(t, "a call within the budget", c.ask("expensive", "ada"), http.StatusNoContent)
	}
	want(t, "a call beyond the budget", c.ask("expensive", "ada"), http.StatusTooManyRequests)
	want(t, "another person's", c.ask("expensive", "grace"), http.StatusNoContent)
	want(t, "a cheap one", c.ask("quick", "ada"), http.StatusNoContent)
	var streams sync.WaitGroup
	open := func(token string) {
		streams.Go(func() { want(t, "a stream", c.ask("stream", token), http.StatusOK) })
		<-c.working
	}
	open("ada first")
	open("ada first")
	want(t, "a third stream of a session", c.ask("stream", "ada first"), http.StatusTooManyRequests)
	open("ada second")
	want(t, "a fourth stream of a person", c.ask("stream", "ada second"), http.StatusTooManyRequests)
	open("grace")
	close(c.streamed)
	streams.Wait()
	want(t, "a stream after others have ended", c.ask("stream", "ada first"), http.StatusOK)
}

func (c crowded) counted(t *testing.T, class, reason string, n int) {
	t.Helper()
	families, err := c.registry.Gather()
	require.NoError(t, err)
	for _, m := range families[0].GetMetric() {
		if m.GetLabel()[0].GetValue() == class && m.GetLabel()[1].GetValue() == reason {
			if got := int(m.GetCounter().GetValue()); got != n {
				t.Errorf("%s, %s: %d are counted, not %d", class, reason, got, n)
			}
			return
		}
	}
	t.Errorf("no %s, %s in %v", class, reason, families)
}

// A stream ends within a check after its session, and no check outlives the stream.
func TestStreamEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		current := true
		ctx, cancel := context.WithCancel(t.Context())
		go cancelAfterSession(ctx, cancel, func(context.Context) bool { return current })
		time.Sleep(10 * sessionCheckEvery)
		assert.NoError(t, ctx.Err(), "it ended before its session")
		current = false
		time.Sleep(sessionCheckEvery)
		synctest.Wait()
		assert.Error(t, ctx.Err(), "it didn't end")
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		checks := 0
		go cancelAfterSession(ctx, cancel, func(context.Context) bool { checks++; return true })
		cancel()
		time.Sleep(10 * sessionCheckEvery)
		assert.Equal(t, 0, checks)
	})
}
