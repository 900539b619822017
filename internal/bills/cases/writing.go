package cases

import (
	"context"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ratelimit"
)

// writingLasts is how long after the browser's last request a staff member counts as writing. It sends one
// every 15 seconds.
const writingLasts = 30 * time.Second

// writer is a staff member who writes to a case.
type writer struct {
	CaseID, UserID int64
	At             db.Instant
}

// Writers are the other staff who write to a case now, and the case's version.
type Writers struct {
	Names   []string
	Version int64
}

// SetWriting notes whether the actor writes to a case, and returns the others who do. It only writes to the
// database while the actor writes, because each open page calls it every 15 seconds.
func (s *Service) SetWriting(ctx context.Context, a access.Actor, number string, writes bool) (Writers, error) {
	c, err := getCase(ctx, s.db.Reader, parseNumber(number), "")
	if err != nil {
		return Writers{}, notFound(err)
	}
	w, me := Writers{Version: c.Version}, writer{c.ID, a.Person.ID, db.At(s.now())}
	ids, err := listWriters(ctx, s.db.Reader, c.ID, db.At(s.now().Add(-writingLasts)))
	switch {
	case err != nil:
	case writes:
		err = writers.Upsert(ctx, s.db.Writer, me)
	case slices.Contains(ids, me.UserID):
		err = deleteWriter(ctx, s.db.Writer, me)
	}
	for _, id := range ids {
		if err != nil || id == me.UserID {
			continue
		}
		var name string
		name, err = s.users.GetName(ctx, id)
		w.Names = append(w.Names, name)
	}
	return w, err
}

func (s *Service) registerWriting(api *httpapi.API) {
	type writers struct {
		Body struct {
			Names   []string `json:"names" nullable:"false" doc:"Of other staff who are writing"`
			Version int64    `json:"version" doc:"Current version of the question"`
		}
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "setWriting", Method: http.MethodPost, Path: "/desk/cases/{number}/writing", Summary: "Show others that you write an answer",
		Description: "For 30 seconds. Returns who else does.",
		Access:      "cases.work", Effect: httpapi.Write, Background: true, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   struct {
			Writes bool `json:"writes"`
		}
	}) (*writers, error) {
		w, err := s.SetWriting(ctx, access.From(ctx), in.Number, in.Body.Writes)
		out := &writers{}
		out.Body.Names, out.Body.Version = append([]string{}, w.Names...), w.Version
		return out, err
	})
}
