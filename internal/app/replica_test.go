package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db/dbtest"
)

// Bill searches and directory records use the replica. TIN assignments don't.
func TestSearchesComeFromTheReplica(t *testing.T) {
	primary := dbtest.StartServer(t)
	replica := primary.Follower("replica")
	p := newPortalOn(t, primary.URL("postgres"), func(cfg *app.Config) {
		cfg.DatabaseReplicaURL, cfg.DatabaseReplicaLag = replica.URL("postgres"), time.Second
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { p.DB.FollowReplica(ctx); close(done) }()
	defer func() { stop(); <-done }()
	p.onFile()
	p.add("ben", access.PRUS, 0, "444444444")
	ben := bearer(p.signIn("ben"))
	search := func() reply {
		return p.post("/billSearch/searchByAssorted", fields{"ftin": "444444444", "billControlNumber": "B4444"}, ben)
	}
	reads := func() int64 {
		s, there := p.DB.Replica()
		require.True(t, there, "there is no replica")
		return s.Reads
	}
	asks := func(what string, ask func() reply, want string) {
		before := reads()
		for end := time.Now().Add(20 * time.Second); reads() == before; time.Sleep(100 * time.Millisecond) {
			if r := ask(); r.status != 200 || !strings.Contains(string(r.body), want) {
				t.Fatalf("%s: %d %s", what, r.status, r.body)
			}
			require.Falsef(t, time.Now().After(end), "%s: the replica is never asked", what)
		}
	}
	asks("bills", search, "B4444")
	p.audited(1, `operation = 'searchByAssorted' AND actor = 'ben'
		AND id = (SELECT max(id) FROM audit_log WHERE operation = 'searchByAssorted')`)
	asks("providers", func() reply {
		return p.post("/provider/page", fields{"ftin": "444444444", "table": fields{"page": 0, "pageSize": 10}}, ben)
	}, "count")
	// A removed TIN is gone immediately, however far behind the replica is.
	require.NoError(t, dbtest.Err(p.DB.Writer.ExecContext(ctx, `DELETE FROM user_tins WHERE ftin = '444444444'`)))
	if r := search(); r.status != 404 {
		t.Errorf("%d %s", r.status, r.body)
	}
}
