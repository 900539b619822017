package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

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
		if !there {
			t.Fatal("there is no replica")
		}
		return s.Reads
	}
	for end := time.Now().Add(20 * time.Second); reads() == 0; time.Sleep(100 * time.Millisecond) {
		if r := search(); r.status != 200 || !strings.Contains(string(r.body), "B4444") {
			t.Fatalf("%d %s", r.status, r.body)
		}
		if time.Now().After(end) {
			t.Fatal("the replica is never asked")
		}
	}
	p.audited(1, `operation = 'searchByAssorted' AND actor = 'ben'
		AND id = (SELECT max(id) FROM audit_log WHERE operation = 'searchByAssorted')`)
	// A removed TIN is gone immediately, however far behind the replica is.
	if _, err := p.DB.Writer.ExecContext(ctx, `DELETE FROM user_tins WHERE ftin = '444444444'`); err != nil {
		t.Fatal(err)
	}
	if r := search(); r.status != 404 {
		t.Errorf("%d %s", r.status, r.body)
	}
}
