package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/bills/search"
	"wcpp/internal/claims"
	"wcpp/internal/platform/date"
)

// Visitors can't guess a bill, so everything in the greeting must be searchable.
func TestDemoGreetingNamesWhatIsFound(t *testing.T) {
	cfg := NewStoreConfig(Store{Data: t.TempDir()})
	o := DemoOptions{Address: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, Bills: 300, Progress: func(string) {}}
	a, err := NewDemo(t.Context(), cfg, o, slog.New(slog.DiscardHandler), time.Now)
	require.NoError(t, err)
	defer a.Close()
	require.NoError(t, a.Codes.CountWhenDue(t.Context()))
	codes, _, err := a.Codes.Desk(t.Context())
	require.NoError(t, err)
	// Nearly all used codes have an explanation. With more bills there's one without.
	explained, unexplained := 0, 0
	for _, c := range codes {
		switch {
		case c.Bills > 0 && c.IsExplained():
			explained++
		case c.Bills > 0:
			unexplained++
		}
	}
	assert.GreaterOrEqual(t, explained, 10)
	assert.LessOrEqual(t, unexplained, 1)
	checkSentBills(t, a)
	greeting, err := a.DemoGreeting(t.Context())
	require.NoError(t, err)
	_, named, _ := strings.Cut(greeting, "search for\n")
	var bill, ftin, claim, service, first, last, born, injured string
	if _, err := fmt.Fscanf(strings.NewReader(named),
		" bill %s with Tax ID %s\n claim %s service date %s\n claimant %s %s born %s injured %s\n",
		&bill, &ftin, &claim, &service, &first, &last, &born, &injured); err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("%v in\n%s", err, greeting)
	}
	day := func(us string) date.Date {
		d, err := time.Parse("01/02/2006", strings.Trim(us, ","))
		assert.NoError(t, err)
		return date.Of(d)
	}
	for _, name := range []string{"prad.demo", "prus.demo"} {
		actor, err := a.loadActor(t.Context(), name)
		require.NoError(t, err)
		for _, c := range []search.Query{
			{BillControlNumber: bill},
			{ClaimNumber: strings.Trim(claim, ","), BeginServiceDate: day(service), EndServiceDate: day(service)},
		} {
			if found, err := a.Bills.Search.Search(t.Context(), actor, ftin, c); err != nil || len(found) == 0 {
				t.Errorf("%s finds %d bills by %+v: %v", name, len(found), c, err)
			}
		}
		found, _, err := a.Claims.Find(t.Context(), claims.Search{FirstName: first, LastName: strings.Trim(last, ","), BirthDate: day(born),
			DateOfInjury: day(injured)})
		if err != nil || len(found) == 0 {
			t.Errorf("%s finds %d claims: %v", name, len(found), err)
		}
	}
}

// The sample 837 has nine bills that the network doesn't have, and three that differ.
func checkSentBills(t *testing.T, a *App) {
	t.Helper()
	actor, err := a.loadActor(t.Context(), "prus.demo")
	require.NoError(t, err)
	upload, err := a.Lookups.Upload(t.Context(), actor, "sent-bills.edi", filepath.Join(a.Config.Data, "samples", "sent-bills.edi"))
	require.NoError(t, err)
	if _, err := a.Lookups.Run(t.Context(), actor, upload.ID, nil, 0); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, a.Lookups.LookUp(t.Context(), &river.Job[bulklookup.JobArgs]{
		JobRow: &rivertype.JobRow{Kind: "look-up", Attempt: 1, MaxAttempts: 5}, Args: bulklookup.JobArgs{ID: upload.ID},
	}))
	p, err := a.Lookups.ListClaims(t.Context(), actor, upload.ID, "", 0, 200)
	require.NoError(t, err)
	counts := map[string]int{}
	for _, o := range p.Outcomes {
		counts[o.Outcome]++
	}
	found := counts[bulklookup.Found]
	if counts[bulklookup.None] != 9 || counts[bulklookup.Different] != 3 || found < 50 ||
		found+counts[bulklookup.Different]+9 != len(p.Outcomes) {
		t.Errorf("%v", counts)
	}
	for _, l := range p.Lines {
		if l.Answer == bulklookup.Unreadable || l.Answer == bulklookup.Several {
			t.Errorf("%+v", l)
		}
	}
}
