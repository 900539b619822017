// Package httpapi serves operations. These are typed handlers with an access rule and an effect,
// one error format, request IDs, limits, and headers.
package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// Effect says whether an operation changes anything. The method doesn't say this, because
// searches use POST, and some reads use PUT.
type Effect string

// Possible effects.
const (
	Read  Effect = "read"
	Write Effect = "write"
)

// Public is the access of operations without sign-in.
const Public = "public"

// Operation describes an endpoint and its access.
type Operation struct {
	ID          string
	Method      string
	Path        string
	Summary     string
	Description string
	// Access is a permission, or Public.
	Access string
	Effect Effect
	// Cookie accepts the session cookie instead of the bearer token. It is for plain GET
	// downloads and the session itself.
	Cookie bool
	// Scoped marks a read-only operation that queries the user's scope. The rows in scope are
	// read together with the session.
	Scoped bool
	// Background marks requests without a user's action. They don't extend a session.
	Background bool
	// MaxBytes limits the body. Zero means 64 KiB.
	MaxBytes int64
	// OwnPages refuses requests that a page of another site can send: bodies other than JSON,
	// and foreign Origins.
	OwnPages bool
	// Limit is the request limit per signed-in user, with or without mirroring. Operations can
	// share a limiter. Nil means no limit.
	Limit *ratelimit.Limiter
	// Expensive marks a search, an export, or a document with a cost that grows with the input.
	// Each user can run few at the same time, and has a budget.
	Expensive bool
	// Stream marks an event stream. Each session and user can open a limited number. Its context
	// ends soon after its session.
	Stream bool
}

// Credentials are the session credentials of a request.
type Credentials struct {
	Bearer string
	Cookie string
}

// Guard authenticates and authorizes requests.
type Guard interface {
	// Known reports whether the permission exists.
	Known(permission string) bool
	// Offers reports whether the permission's operations are enabled. Others aren't mounted.
	Offers(permission string) bool
	// Enter finds the session, checks access, and returns a context with the actor.
	Enter(ctx context.Context, c Credentials, op Operation) (context.Context, error)
	// IsCurrent reports whether the session of a context from Enter still exists with the same rights.
	IsCurrent(ctx context.Context) bool
	// Failed receives each error of an operation after Enter, and returns the error to report.
	Failed(ctx context.Context, op Operation, failure error) error
	// Person returns the signed-in user in a context from Enter.
	Person(ctx context.Context) string
	// Caller returns the session's owner for sharing the server, or false without a session.
	Caller(ctx context.Context, c Credentials) (admission.Caller, bool)
}

// API collects the operations of all domains.
type API struct {
	huma  huma.API
	guard Guard
	log   *slog.Logger
	// publicLimit limits public requests by client address. An office shares one address, so the
	// limit allows many users but no guessing.
	publicLimit *ratelimit.Limiter
	ops         []Operation
	publicURL   string
	observer    func(Operation, context.Context) // for tests of which operations ran
	gates       gates
}

const (
	apiDescription = `All paths are below /api. Requests and responses are JSON. Sign in with POST /authenticate and send
its token as "Authorization: Bearer TOKEN" with each further request. The token has the rights of its account.`
	errorDescription = `400 invalid request, 401 not signed in, 403 not permitted, 404 doesn't exist or isn't visible to you,
409 changed by someone else, 413 too large, 429 too many requests, 500 error on the server, 503 temporarily unavailable.
429 and 503 have the header Retry-After.`
)

// SessionCookie is the name of the session cookie: host-only, secure, path /.
const SessionCookie = "__Host-wcpp"

// Deps are what the API needs.
type Deps struct {
	Guard   Guard
	Log     *slog.Logger
	Metrics prometheus.Registerer // only with Shares
}

// Settings describe the API.
type Settings struct {
	Title, Version string
	// PublicURL is the portal's address for browsers. The request's Host is also accepted.
	PublicURL string
	// Shares divide the server among its callers. Without Calls there is no limit.
	Shares Shares
}

// New returns an API on the mux, with paths under /api.
func New(mux *http.ServeMux, d Deps, settings Settings) *API {
	cfg := huma.DefaultConfig(settings.Title, settings.Version)
	cfg.Info.Description = apiDescription
	cfg.CreateHooks = nil
	cfg.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	cfg.DocsPath, cfg.SchemasPath, cfg.OpenAPIPath = "", "", "/openapi"
	// Clients send whole objects back, so unknown fields are ignored.
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	cfg.Components.Schemas = registry
	cfg.AllowAdditionalPropertiesByDefault = true
	cfg.Servers = []*huma.Server{{URL: "/api"}}
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "Session token"},
		"cookie": {Type: "apiKey", In: "cookie", Name: SessionCookie, Description: "Session token, for simple GET downloads"},
	}
	sub := http.NewServeMux()
	api := &API{huma: humago.New(sub, cfg), guard: d.Guard, log: d.Log, publicURL: settings.PublicURL,
		publicLimit: ratelimit.NewLimiter(120, 120)}
	if settings.Shares.Calls > 0 {
		api.gates = newGates(settings.Shares, d.Metrics)
	}
	mux.Handle("/api/", http.StripPrefix("/api", cutTrailingSlash(api.withNotFound(sub))))
	return api
}

// Operations lists the registered operations, in order.
func (a *API) Operations() []Operation { return a.ops }

// OpenAPI returns the API document.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

// Observe calls fn for each operation that passed its access check.
func (a *API) Observe(fn func(Operation, context.Context)) { a.observer = fn }

// Register adds an operation. To deny access by default, it panics if access or effect is
// missing or unknown.
func Register[I, O any](a *API, op Operation, handler func(context.Context, *I) (*O, error)) {
	// The compiler copies this function for each operation, so code without its types is below.
	r := a.describe(op, reflect.TypeFor[O]())
	if r == nil {
		return
	}
	huma.Register(a.huma, r.documented, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		out, err := handler(ctx, in)
		return r.finish(ctx, out, err)
	})
	a.correctDocument(op)
}

// registered is an operation that the portal offers.
type registered struct {
	api        *API
	op         Operation
	documented huma.Operation
	response   responseType
}

// finish converts the output of an operation's handler, a pointer to its struct, or its error.
func (r *registered) finish(ctx context.Context, out any, err error) (*huma.StreamResponse, error) {
	admission.Leave(ctx) // before streaming
	if err != nil {
		return nil, r.api.convertError(ctx, r.op, err)
	}
	return r.api.respond(r.response, reflect.ValueOf(out)), nil
}

// describe checks an operation and converts it for huma; nil if the portal doesn't offer it.
func (a *API) describe(op Operation, output reflect.Type) *registered {
	if op.Access == "" || op.Effect == "" || op.ID == "" {
		panic(fmt.Sprintf("operation %s %s is missing its id, access or effect", op.Method, op.Path))
	}
	if op.Access != Public && !a.guard.Known(op.Access) {
		panic(fmt.Sprintf("operation %s has unknown permission %q", op.ID, op.Access))
	}
	if op.Access != Public && !a.guard.Offers(op.Access) {
		return nil
	}
	if op.Scoped && op.Effect != Read {
		panic(fmt.Sprintf("operation %s writes, so its scope must be read in its own transaction", op.ID))
	}
	if op.MaxBytes == 0 {
		op.MaxBytes = 64 << 10
	}
	a.ops = append(a.ops, op)
	h := huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description,
		MaxBodyBytes: op.MaxBytes, Middlewares: huma.Middlewares{a.enter(op)},
	}
	if op.Access != Public {
		h.Security = []map[string][]string{{"bearer": {}}}
		if op.Cookie {
			h.Security = append(h.Security, map[string][]string{"cookie": {}})
		}
	}
	response := a.describeResponse(&h, output)
	return &registered{a, op, h, response}
}

// convertError converts an operation's error for the response.
func (a *API) convertError(ctx context.Context, op Operation, err error) error {
	if op.Access != Public {
		err = a.guard.Failed(ctx, op, err)
	}
	return a.toProblem(ctx, op, err)
}

// correctDocument corrects huma's description of an operation in the API document. It panics if a path's
// string parameter has no maximum length. huma rejects longer values, or values of another type,
// before the operation runs.
func (a *API) correctDocument(op Operation) {
	a.dropAdditional()
	for _, p := range a.findOperation(op).Parameters {
		if s := p.Schema; p.In == "path" && s.Type == huma.TypeString && s.MaxLength == nil && len(s.Enum) == 0 && s.Format == "" {
			panic(fmt.Sprintf("operation %s doesn't bound %s in its path", op.ID, p.Name))
		}
	}
	a.shareError(op)
	// In the document, a wildcard for the rest of the path is an ordinary parameter.
	if named := strings.Replace(op.Path, "...}", "}", 1); named != op.Path {
		paths := a.huma.OpenAPI().Paths
		paths[named] = paths[op.Path]
		delete(paths, op.Path)
	}
}

// shareError describes the error response, which all operations have, once in the document.
func (a *API) shareError(op Operation) {
	shared, responses := a.huma.OpenAPI().Components, a.findOperation(op).Responses
	if shared.Responses == nil {
		shared.Responses = map[string]*huma.Response{"Error": responses["default"]}
		shared.Responses["Error"].Description = errorDescription
	}
	responses["default"] = &huma.Response{Ref: "#/components/responses/Error"}
}

// findOperation returns an operation in the API document.
func (a *API) findOperation(op Operation) *huma.Operation {
	item := a.huma.OpenAPI().Paths[op.Path]
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPut: item.Put, http.MethodPost: item.Post, http.MethodDelete: item.Delete,
		http.MethodPatch: item.Patch,
	}[op.Method]
}

// dropAdditional omits the default of additional properties, so that generated types are exact.
func (a *API) dropAdditional() {
	for _, schema := range a.huma.OpenAPI().Components.Schemas.Map() {
		if allowed, ok := schema.AdditionalProperties.(bool); ok && allowed {
			schema.AdditionalProperties = nil
		}
	}
}

func (a *API) enter(op Operation) func(huma.Context, func(huma.Context)) {
	return func(hc huma.Context, next func(huma.Context)) {
		hc.SetHeader("Cache-Control", "no-store")
		setRoute(hc.Context(), op.Method+" /api"+op.Path)
		creds := readCredentials(hc, op)
		ctx, err := a.admit(hc.Context(), op, creds)
		if err != nil { // counted, not logged, because there are many
			a.write(hc, newProblem(ctx, problem.From(err)))
			return
		}
		defer admission.Leave(ctx)
		r, _ := humago.Unwrap(hc)
		r.Body = admission.WrapBody(ctx, r.Body)
		if op.Access == Public {
			if !a.publicLimit.Allow(Source(ctx)) {
				a.write(hc, a.toProblem(ctx, op, problem.TooManyAttempts(a.publicLimit.Wait(Source(ctx)))))
				return
			}
		} else {
			entered, err := a.guard.Enter(ctx, creds, op)
			if err != nil {
				a.write(hc, a.toProblem(ctx, op, err))
				return
			}
			ctx = entered
			end, err := a.checkLimits(ctx, op, creds)
			if err != nil {
				a.write(hc, a.toProblem(ctx, op, err))
				return
			}
			defer end()
			if op.Stream {
				var cancel context.CancelFunc
				ctx, cancel = context.WithCancel(ctx)
				defer cancel()
				go cancelAfterSession(ctx, cancel, a.guard.IsCurrent)
			}
		}
		if op.OwnPages {
			if err := a.checkOwnPage(hc); err != nil {
				a.write(hc, a.toProblem(ctx, op, err))
				return
			}
		}
		if p := checkURL(hc.URL()); p != nil {
			a.write(hc, a.toProblem(ctx, op, p))
			return
		}
		if a.observer != nil {
			a.observer(op, ctx)
		}
		next(huma.WithContext(hc, ctx))
	}
}

// checkLimits refuses a request beyond the user's limits. Call end after the response.
func (a *API) checkLimits(ctx context.Context, op Operation, c Credentials) (end func(), err error) {
	person := a.guard.Person(ctx)
	if op.Limit != nil && !op.Limit.Allow(person) {
		return nil, problem.TooManyAttempts(op.Limit.Wait(person))
	}
	if err := a.checkBudget(op, person); err != nil {
		return nil, err
	}
	if !op.Stream {
		return func() {}, nil
	}
	return a.gates.open.begin(c.session(), person)
}

// checkOwnPage refuses bodies other than JSON, and pages of other sites. Such a page can send JSON
// only with CORS permission, which the portal never gives.
func (a *API) checkOwnPage(hc huma.Context) error {
	if kind, _, err := mime.ParseMediaType(hc.Header("Content-Type")); err != nil || kind != "application/json" {
		return problem.WithMessage(problem.Invalid, "Send this as application/json.")
	}
	origin := hc.Header("Origin")
	if origin == "" {
		return nil // not sent by a page
	}
	from, err := url.Parse(origin)
	own, failed := url.Parse(a.publicURL)
	if err != nil || from.Host == "" || from.Host != hc.Host() && (failed != nil || from.Scheme != own.Scheme || from.Host != own.Host) {
		return problem.New(problem.Forbidden).WithCause(errors.New("request from another site"))
	}
	return nil
}

func (a *API) write(hc huma.Context, p *Problem) {
	for k := range p.GetHeaders() {
		hc.SetHeader(k, p.GetHeaders().Get(k))
	}
	if err := huma.WriteErr(a.huma, hc, p.Status, p.Message, p); err != nil {
		a.log.WarnContext(hc.Context(), "couldn't write response", "error", err)
	}
}

// toProblem converts any error to a response without internal details, and logs those.
func (a *API) toProblem(ctx context.Context, op Operation, err error) *Problem {
	e := problem.From(err)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !errors.Is(context.Cause(ctx), db.ErrOutage) {
		// The client left, so this isn't a failure.
		a.log.DebugContext(ctx, "operation canceled", "operation", op.ID, "requestId", RequestID(ctx))
		return newProblem(ctx, problem.New(problem.Unavailable))
	}
	switch {
	case e.Kind != problem.Internal:
	case errors.Is(err, db.ErrCommitUnknown):
		e = problem.WithMessage(problem.Unavailable, "We couldn't confirm whether your change was saved. Check before you try again.").
			WithCause(err)
	case db.IsStorageFault(err):
		e = problem.WithMessage(problem.Unavailable, "The server's disk is full or failing. Try again later.").WithCause(err)
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || db.IsUnavailable(err):
		e = problem.New(problem.Unavailable).WithCause(err)
	}
	if e.Kind == problem.Internal || e.Kind == problem.Unavailable {
		a.log.ErrorContext(ctx, "operation failed", "operation", op.ID, "code", e.Code, "error", fmt.Sprint(e.Cause), "requestId",
			RequestID(ctx))
	} else if e.Cause != nil {
		a.log.WarnContext(ctx, "operation rejected", "operation", op.ID, "code", e.Code, "error", fmt.Sprint(e.Cause), "requestId",
			RequestID(ctx))
	}
	return newProblem(ctx, e)
}

func (a *API) withNotFound(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			WriteProblem(w, r, newUnknownOperation())
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func newUnknownOperation() *problem.Error {
	return problem.WithMessage(problem.NotFound, "Unknown API operation.")
}

// cutTrailingSlash routes a path with a trailing slash to the operation without it, because
// several clients add one. It never turns the deletion of one item without its name into the
// deletion of all.
func cutTrailingSlash(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && r.Method != http.MethodDelete {
			u := *r.URL
			u.Path, u.RawPath = strings.TrimRight(p, "/"), strings.TrimRight(u.RawPath, "/")
			r2 := *r
			r2.URL = &u
			r = &r2
		}
		next.ServeHTTP(w, r)
	})
}
