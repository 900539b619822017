package sso

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// LogoutPath receives the provider's logout notifications (OpenID Connect Back-Channel Logout
// 1.0).
const LogoutPath = "/sso/backchannel-logout"

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// A logout token is accepted once, within this time after it was issued.
const logoutFor = 5 * time.Minute

// logout is the content of a logout token.
type logout struct {
	issuer, subject, sid, jti string
	issued                    time.Time
}

var errReplayed = errors.New("this logout token was already used")

func (o *OIDC) routes(mux *http.ServeMux) {
	mux.Handle("POST "+LogoutPath, httpapi.Route(LogoutPath, http.HandlerFunc(o.signOut)))
}

func (o *OIDC) signOut(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !o.limit.Allow(httpapi.Source(r.Context())) {
		httpapi.WriteProblem(w, r, problem.New(problem.TooMany))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	token, err := o.readLogout(r.Context(), r.PostFormValue("logout_token"))
	if err == nil {
		err = o.db.Tx(r.Context(), func(tx *sql.Tx) error {
			n, err := insertLogout(r.Context(), tx, digest(token.jti), db.At(token.issued.Add(logoutFor+maxClockSkew)))
			if err != nil {
				return err
			}
			if n == 0 {
				return errReplayed
			}
			return o.ended(r.Context(), tx, token.issuer, token.subject, token.sid)
		})
	}
	if err != nil {
		o.log.WarnContext(r.Context(), "back-channel logout rejected", "error", err, "requestId", httpapi.RequestID(r.Context()))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_request"}`)) // the provider disconnected
	}
}

// readLogout verifies a logout token: signature, issuer, audience, times, and that it isn't an
// ID token.
func (o *OIDC) readLogout(ctx context.Context, raw string) (logout, error) {
	found, err := o.discover(ctx)
	if err != nil {
		return logout{}, err
	}
	token, err := o.verify(ctx, found.provider, raw)
	if err != nil {
		return logout{}, err
	}
	var claims struct {
		JTI    string                     `json:"jti"`
		SID    string                     `json:"sid"`
		Nonce  json.RawMessage            `json:"nonce"`
		Events map[string]json.RawMessage `json:"events"`
	}
	if err := token.Claims(&claims); err != nil {
		return logout{}, err
	}
	var event map[string]any
	_ = json.Unmarshal(claims.Events[logoutEvent], &event) // stays nil if it isn't an object
	now := o.now()
	switch {
	case event == nil:
		err = errors.New("not a logout token")
	case claims.Nonce != nil:
		err = errors.New("contains a nonce, which only sign-in tokens have")
	case claims.JTI == "":
		err = errors.New("missing jti")
	case token.Subject == "" && claims.SID == "":
		err = errors.New("missing subject and session")
	case token.IssuedAt.Before(now.Add(-logoutFor)) || token.IssuedAt.After(now.Add(maxClockSkew)):
		err = errors.New("issued too long ago or in the future")
	}
	return logout{token.Issuer, token.Subject, claims.SID, claims.JTI, token.IssuedAt}, err
}

// cleanup deletes logout tokens that are too old to be accepted again.
func (o *OIDC) cleanup(ctx context.Context) error {
	return deleteOldLogouts(ctx, o.db.Writer, db.At(o.now()))
}
