package sessions

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// openSession is a session as its owner sees it.
type openSession struct {
	TokenHash    []byte
	Device       string
	CreatedAt    db.Instant
	LastActiveAt db.Instant
}

// OpenSession is one of a person's sessions.
type OpenSession struct {
	ID       string `json:"id"`
	Device   string `json:"device" doc:"Browser and system that opened it; empty if unknown"`
	SinceDt  string `json:"sinceDt" format:"date-time"`
	SeenDt   string `json:"seenDt" format:"date-time" doc:"Last activity, to the minute"`
	ThisHere bool   `json:"thisHere" doc:"This session"`
}

// Open lists the actor's sessions, newest first.
func (s *Service) Open(ctx context.Context, a access.Actor) ([]OpenSession, error) {
	now := s.now()
	rows, err := listOpen(ctx, s.db.Reader, a.Person.ID, db.At(now.Add(-s.settings.idle()-touchEvery)),
		db.At(now.Add(-s.settings.lifetime())))
	list := make([]OpenSession, len(rows))
	for i, r := range rows {
		list[i] = OpenSession{
			ID: hex.EncodeToString(r.TokenHash), Device: r.Device, SinceDt: r.CreatedAt.RFC3339(),
			SeenDt: r.LastActiveAt.RFC3339(), ThisHere: string(r.TokenHash) == string(a.Session),
		}
	}
	return list, err
}

// EndOne ends one of the actor's sessions. It accepts one that has already ended.
func (s *Service) EndOne(ctx context.Context, a access.Actor, id string) error {
	hash, err := hex.DecodeString(id)
	if err != nil {
		return problem.New(problem.NotFound)
	}
	return s.endOwn(ctx, a, func(tx *sql.Tx, g access.UserGrant) ([]endedSession, error) {
		ended, err := deleteOne(ctx, tx, g, hash)
		if err == nil && len(ended) == 0 {
			err = problem.New(problem.NotFound)
		}
		return ended, err
	})
}

// EndElsewhere ends all of the actor's sessions except the current one, and codes that could still become
// one.
func (s *Service) EndElsewhere(ctx context.Context, a access.Actor) error {
	return s.endOwn(ctx, a, func(tx *sql.Tx, g access.UserGrant) ([]endedSession, error) {
		ended, err := deleteOthers(ctx, tx, g, a.Session)
		return ended, errors.Join(err, s.sso.DeleteCodes(ctx, tx, g.ID()))
	})
}

// endOwn ends some of the actor's sessions. Every way for a person to do so goes through here.
func (s *Service) endOwn(ctx context.Context, a access.Actor, end func(*sql.Tx, access.UserGrant) ([]endedSession, error)) error {
	g, err := a.Reach().EditUser(a.Person)
	if err != nil {
		return err
	}
	return s.db.Tx(db.WithoutGuard(ctx), func(tx *sql.Tx) error { // the current session can be one of them
		ended, err := end(tx, g)
		if err == nil {
			err = s.endMirroring(ctx, tx, sessionOver, ended...)
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "session-end", Subject: a.Person.UserName, Result: "ok"})
	})
}

// registerOpen adds the endpoints for the user's own sessions.
func (s *Service) registerOpen(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "openSessions", Method: http.MethodGet, Path: "/account/sessions", Summary: "List your sessions",
		Access: "account.sessions", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenSession], error) {
		list, err := s.Open(ctx, access.From(ctx))
		return &httpapi.List[OpenSession]{Body: list}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "endSession", Method: http.MethodDelete, Path: "/account/sessions/{id}", Summary: "End one of your sessions",
		Access: "account.sessions", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"64"`
	}) (*struct{}, error) {
		return nil, s.EndOne(ctx, access.From(ctx), in.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "endOtherSessions", Method: http.MethodDelete, Path: "/account/sessions", Summary: "End all of your other sessions",
		Access: "account.sessions", Effect: httpapi.Write,
	}, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
		return nil, s.EndElsewhere(ctx, access.From(ctx))
	})
}
