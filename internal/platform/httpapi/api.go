// Package httpapi serves operations: typed handlers with their access and
// effect, one error shape, request identity, limits and headers.
package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// Effect tells whether an operation changes anything; the method does not
// (searches are POST, some reads PUT).
type Effect string

// The effects.
const (
	Read  Effect = "read"
	Write Effect = "write"
)

// Public is the access of operations that need no sign-in.
const Public = "public"

// Operation is how a call is reached and who may make it.
type Operation struct {
	ID          string
	Method      string
	Path        string
	Summary     string
	Description string
	// Access names the permission, or Public.
	Access string
	Effect Effect
	// Cookie lets the session's cookie stand for the bearer token: plain GET
	// downloads and the session itself.
	Cookie bool
	// Scoped tells that the operation, which only reads, asks for the rows in scope: they
	// are read with the session.
	Scoped bool
	// Background marks calls that no person's own action caused; they do not
	// keep a session alive.
	Background bool
	// MaxBytes limits the body; 64 KiB when zero.
	MaxBytes int64
	// OwnPages refuses what a page of another site can send: a body that is not
	// JSON, and an Origin that is not the portal's.
	OwnPages bool
	// Limit bounds how often each person who is signed in may call it, mirroring or
	// not, together with the other operations that have the same; nil does not.
	Limit *ratelimit.Limiter
	// Expensive marks a search, an export or a document whose cost grows with what is
	// asked for: each person runs few of them at once, and has a budget of them.
	Expensive bool
	// Stream marks a stream of events: each session and person has some open at most.
	Stream bool
}

// Credentials are what a request shows of its session.
type Credentials struct {
	Bearer string
	Cookie string
}

// Guard signs requests in and decides on their access.
type Guard interface {
	// Known tells whether the permission exists.
	Known(permission string) bool
	// Offers tells whether its operations are there: others are not mounted.
	Offers(permission string) bool
	// Enter finds the session, decides, and returns the context with the actor.
	Enter(ctx context.Context, c Credentials, op Operation) (context.Context, error)
	// Failed is told each failure of an operation that was entered, and answers the
	// one to go on with.
	Failed(ctx context.Context, op Operation, failure error) error
	// Person names who is signed in, in a context that Enter made.
	Person(ctx context.Context) string
	// Caller returns whose session it is, with whom its calls share the server; false
	// where there is none.
	Caller(ctx context.Context, c Credentials) (admission.Caller, bool)
}

// API collects the operations of all areas.
type API struct {
	huma  huma.API
	guard Guard
	log   *slog.Logger
	// publicLimit holds for public calls by client address: an office shares one,
	// so there is room for many people, not for guessing.
	publicLimit *ratelimit.Limiter
	ops         []Operation
	// PublicURL is where browsers reach the portal; the host that a request names is
	// its own as well.
	PublicURL string
	observer  func(Operation, context.Context) // tests watch which operations ran
	gates     gates
}

// SessionCookie is the name of the session's cookie: host-only, secure, path /.
const SessionCookie = "__Host-wcpp"

// New makes an API on the mux; its paths stand under /api.
func New(mux *http.ServeMux, title, version string, guard Guard, log *slog.Logger) *API {
	cfg := huma.DefaultConfig(title, version)
	cfg.CreateHooks = nil
	cfg.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	cfg.DocsPath, cfg.SchemasPath, cfg.OpenAPIPath = "", "", "/openapi"
	// Screens send whole objects back; what an operation does not name is ignored.
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	cfg.Components.Schemas = registry
	cfg.AllowAdditionalPropertiesByDefault = true
	cfg.Servers = []*huma.Server{{URL: "/api"}}
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "Session token"},
		"cookie": {Type: "apiKey", In: "cookie", Name: SessionCookie, Description: "Session token, for simple GET downloads"},
	}
	sub := http.NewServeMux()
	api := &API{huma: humago.New(sub, cfg), guard: guard, log: log, publicLimit: ratelimit.NewLimiter(120, 120)}
	mux.Handle("/api/", http.StripPrefix("/api", cutTrailingSlash(api.orNotFound(sub))))
	return api
}

// Operations lists what was registered, in order.
func (a *API) Operations() []Operation { return a.ops }

// OpenAPI is the document of all operations.
func (a *API) OpenAPI() *huma.OpenAPI { return a.huma.OpenAPI() }

// Watch calls fn for each operation that passed its access check.
func (a *API) Watch(fn func(Operation, context.Context)) { a.observer = fn }

// Register adds an operation. It stops the program when access or effect are
// missing or unknown: deny by default starts here.
func Register[I, O any](a *API, op Operation, handler func(context.Context, *I) (*O, error)) {
	// One copy of this is compiled for each operation: what does not name its types is below.
	h, offered := a.describe(&op)
	if !offered {
		return
	}
	huma.Register(a.huma, h, func(ctx context.Context, in *I) (*O, error) {
		defer admission.Leave(ctx) // before what is streamed
		out, err := handler(ctx, in)
		if err != nil {
			return nil, a.failed(ctx, op, err)
		}
		return out, nil
	})
	a.amend(op)
}

// describe checks an operation and answers it as huma has it; false where the portal
// does not offer it.
func (a *API) describe(op *Operation) (huma.Operation, bool) {
	if op.Access == "" || op.Effect == "" || op.ID == "" {
		panic(fmt.Sprintf("operation %s %s is missing its id, access or effect", op.Method, op.Path))
	}
	if op.Access != Public && !a.guard.Known(op.Access) {
		panic(fmt.Sprintf("operation %s has unknown permission %q", op.ID, op.Access))
	}
	if op.Access != Public && !a.guard.Offers(op.Access) {
		return huma.Operation{}, false
	}
	if op.Scoped && op.Effect != Read {
		panic(fmt.Sprintf("operation %s writes, so its scope must be read in its own transaction", op.ID))
	}
	if op.MaxBytes == 0 {
		op.MaxBytes = 64 << 10
	}
	a.ops = append(a.ops, *op)
	h := huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description,
		MaxBodyBytes: op.MaxBytes, Errors: []int{http.StatusBadRequest},
		Middlewares: huma.Middlewares{a.enter(*op)},
	}
	if op.Access != Public {
		h.Security = []map[string][]string{{"bearer": {}}}
		if op.Cookie {
			h.Security = append(h.Security, map[string][]string{"cookie": {}})
		}
		h.Errors = append(h.Errors, http.StatusUnauthorized, http.StatusForbidden)
	}
	return h, true
}

// failed is what an operation's error says to the caller.
func (a *API) failed(ctx context.Context, op Operation, err error) error {
	if op.Access != Public {
		err = a.guard.Failed(ctx, op, err)
	}
	return a.problemOf(ctx, op, err)
}

// amend corrects what huma wrote of an operation in the API document. It stops the program
// when a text in the path has no bound: huma refuses what is longer, or of another type,
// before the operation reads it.
func (a *API) amend(op Operation) {
	a.dropAdditional()
	for _, p := range a.pathOf(op).Parameters {
		if s := p.Schema; p.In == "path" && s.Type == huma.TypeString && s.MaxLength == nil && len(s.Enum) == 0 && s.Format == "" {
			panic(fmt.Sprintf("operation %s doesn't bound %s in its path", op.ID, p.Name))
		}
	}
	// A path that takes the rest of the address is an ordinary parameter in the document.
	if named := strings.Replace(op.Path, "...}", "}", 1); named != op.Path {
		paths := a.huma.OpenAPI().Paths
		paths[named] = paths[op.Path]
		delete(paths, op.Path)
	}
}

// pathOf is an operation in the API document.
func (a *API) pathOf(op Operation) *huma.Operation {
	item := a.huma.OpenAPI().Paths[op.Path]
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPut: item.Put, http.MethodPost: item.Post, http.MethodDelete: item.Delete, http.MethodPatch: item.Patch,
	}[op.Method]
}

// dropAdditional leaves out what schemas allow by default anyway, so that types
// generated from them stay exact.
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
		creds := credentials(hc, op)
		ctx, err := a.admit(hc.Context(), op, creds)
		if err != nil { // it is counted, not logged: there are many
			a.write(hc, newProblem(ctx, problem.From(err)))
			return
		}
		defer admission.Leave(ctx)
		r, _ := humago.Unwrap(hc)
		r.Body = admission.Body(ctx, r.Body)
		if op.Access == Public {
			if !a.publicLimit.Allow(Source(ctx)) {
				a.write(hc, a.problemOf(ctx, op, problem.TooSoon(a.publicLimit.Wait(Source(ctx)))))
				return
			}
		} else {
			entered, err := a.guard.Enter(ctx, creds, op)
			if err != nil {
				a.write(hc, a.problemOf(ctx, op, err))
				return
			}
			ctx = entered
			end, err := a.within(ctx, op, creds)
			if err != nil {
				a.write(hc, a.problemOf(ctx, op, err))
				return
			}
			defer end()
		}
		if op.OwnPages {
			if err := a.ownPage(hc); err != nil {
				a.write(hc, a.problemOf(ctx, op, err))
				return
			}
		}
		if p := unstorable(hc.URL()); p != nil {
			a.write(hc, a.problemOf(ctx, op, p))
			return
		}
		if a.observer != nil {
			a.observer(op, ctx)
		}
		next(huma.WithContext(hc, ctx))
	}
}

// within refuses what is more than the person's limits; end must be called once the
// answer has been sent.
func (a *API) within(ctx context.Context, op Operation, c Credentials) (end func(), err error) {
	person := a.guard.Person(ctx)
	if op.Limit != nil && !op.Limit.Allow(person) {
		return nil, problem.TooSoon(op.Limit.Wait(person))
	}
	if err := a.budgeted(op, person); err != nil {
		return nil, err
	}
	if !op.Stream {
		return func() {}, nil
	}
	return a.gates.open.begin(c.session(), person)
}

// ownPage refuses what is not JSON, or comes from a page of another site: only
// with leave, which the portal gives none, can such a page send JSON.
func (a *API) ownPage(hc huma.Context) error {
	if kind, _, err := mime.ParseMediaType(hc.Header("Content-Type")); err != nil || kind != "application/json" {
		return problem.Say(problem.Invalid, "Send this as application/json.")
	}
	origin := hc.Header("Origin")
	if origin == "" {
		return nil // no page sent it
	}
	from, err := url.Parse(origin)
	own, failed := url.Parse(a.PublicURL)
	if err != nil || from.Host == "" || from.Host != hc.Host() && (failed != nil || from.Scheme != own.Scheme || from.Host != own.Host) {
		return problem.New(problem.Forbidden).Because(errors.New("request from another site"))
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

// problemOf turns any error into what the caller may know and logs what it may
// not.
func (a *API) problemOf(ctx context.Context, op Operation, err error) *Problem {
	e := problem.From(err)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !errors.Is(context.Cause(ctx), db.ErrOutage) {
		// Nobody waits for the answer any more: no failure of the portal's.
		a.log.DebugContext(ctx, "operation canceled", "operation", op.ID, "requestId", RequestID(ctx))
		return newProblem(ctx, problem.New(problem.Unavailable))
	}
	broken := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || db.IsUnavailable(err) || db.IsStorageFault(err)
	if e.Kind == problem.Internal && broken {
		e = problem.New(problem.Unavailable).Because(err)
	}
	if e.Kind == problem.Internal || e.Kind == problem.Unavailable {
		a.log.ErrorContext(ctx, "operation failed", "operation", op.ID, "code", e.Code, "error", fmt.Sprint(e.Cause), "requestId", RequestID(ctx))
	} else if e.Cause != nil {
		a.log.WarnContext(ctx, "operation rejected", "operation", op.ID, "code", e.Code, "error", fmt.Sprint(e.Cause), "requestId", RequestID(ctx))
	}
	return newProblem(ctx, e)
}

func (a *API) orNotFound(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			WriteProblem(w, r, noSuchCall())
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func noSuchCall() *problem.Error { return problem.Say(problem.NotFound, "Unknown API operation.") }

// cutTrailingSlash lets a path with a slash at its end reach the operation
// without it, as several callers write it. To delete one thing without its name doesn't
// delete all of them.
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
