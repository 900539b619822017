package app_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tracesv1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"io"

	"wcpp/internal/app"
	"wcpp/internal/health"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/tracing"
)

func (p *portal) health() (r health.ProgramHealth, systems map[string]health.SystemHealth) {
	p.t.Helper()
	answer := p.do("GET", "/api/desk/health", nil, bearer(p.signIn("isad")))
	p.want(answer, 200, "")
	answer.into(p.t, &r)
	systems = map[string]health.SystemHealth{}
	for _, s := range r.Systems {
		systems[s.Title] = s
	}
	return r, systems
}

// Staff see the status of the program and of each system it depends on.
func TestHealth(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			database := dbtest.MigratedURL(t, kind)
			gone := func(c *app.Config) { c.Bills.SecondBillURL = "http://127.0.0.1:1" }
			p := newPortalOn(t, database, gone)
			r, systems := p.health()
			if r.Version != app.Version || r.Engine != kind || len(r.Instances) != 1 || !r.Instances[0].Here || r.Bytes == 0 ||
				len(r.Cleanups) == 0 {
				t.Errorf("%+v", r)
			}
			if kind == "postgres" && !slices.ContainsFunc(r.Tables, func(t health.TableSize) bool {
				return t.Name == "bills" && t.Bytes != nil
			}) {
				t.Errorf("%+v", r.Tables)
			}
			if s := systems["Database"]; s.State != health.Works || s.OKAt == nil {
				t.Errorf("%+v", s)
			}
			if systems["Second bill system"].State != health.Unknown || systems["Content host"].State != health.Absent ||
				systems["Chat"].State != health.Absent {
				t.Errorf("%+v", systems)
			}
			// Only the external identity provider is absent, not sign-on itself.
			if s := systems["Sign-on"]; s.State != health.Absent || s.What != "Built-in sign-in form" {
				t.Errorf("%+v", s)
			}
			p.post("/billSearch/mitchBillSearch", fields{"tins": []string{"111111111"}, "billControlNumber": "B1"},
				bearer(p.signIn("prad")))
			_, systems = p.health()
			if s := systems["Second bill system"]; s.State != health.Fails || s.Failure != "Connection refused." || s.OKAt != nil {
				t.Errorf("%+v", s)
			}
			// Another instance on the same database.
			if r, _ := p.another().health(); len(r.Instances) != 2 || r.Instances[0].Here == r.Instances[1].Here {
				t.Errorf("%+v", r.Instances)
			}
			p.clock.Advance(10 * time.Minute)
			if r, _ := p.health(); len(r.Instances) != 1 {
				t.Errorf("%+v", r.Instances)
			}
			for _, who := range []string{"irad", "prad", "prus", "nnus", "road", "rous"} {
				p.want(p.do("GET", "/api/desk/health", nil, bearer(p.signIn(who))), http.StatusForbidden, "")
			}
		})
	}
}

// Traces go to the target in the standard variables. They contain requests by route and queries
// by name, but no request data.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	var spans []string
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var sent tracesv1.ExportTraceServiceRequest
		if r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("%s %s", r.URL, r.Header)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, of := range sent.ResourceSpans {
			for _, scope := range of.ScopeSpans {
				for _, span := range scope.Spans {
					spans = append(spans, span.Name+" "+span.String()+" "+of.Resource.String())
				}
			}
		}
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_SERVICE_NAME", "billing portal")
	p := newPortal(t, "sqlite", nil)
	end, err := tracing.Start(t.Context(), "1")
	require.NoError(t, err)
	token := bearer(p.signIn("prad"))
	p.want(p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "billControlNumber": "B4444777"}, token), 200, "")
	p.do("GET", "/api/work/bills/c2VhbGVkIGlk", nil, token)
	require.NoError(t, end(t.Context()))
	has := func(name string) bool {
		return slices.ContainsFunc(spans, func(s string) bool { return strings.HasPrefix(s, name+" ") })
	}
	for _, name := range []string{"POST /api/billSearch/searchByAssorted", "query search.search", "GET /api/work/bills/{id}"} {
		assert.Truef(t, has(name), "nothing of %s", name)
	}
	for _, s := range spans {
		for _, secret := range []string{"111111111", "B4444777", "prad", "c2VhbGVk", "example.com"} {
			assert.NotContains(t, s, secret)
		}
		assert.Contains(t, s, "billing portal")
	}
	if t.Failed() {
		t.Logf("%q", spans)
	}
	for variable, value := range map[string]string{"OTEL_TRACES_EXPORTER": "zipkin", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, value)
			if _, err := tracing.Start(t.Context(), "1"); err == nil || !strings.Contains(err.Error(), variable) {
				t.Errorf("%v", err)
			}
		})
	}
}
