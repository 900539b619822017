package alerts

import (
	"database/sql"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/text"
)

const (
	ours   = "111111111"
	theirs = "222222222"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"changedBills":     "the part of the list that one TIN gives is read whole, and has a limit",
		"countWatched":     "what was found is counted",
		"counts":           "what was found is grouped",
		"newestChange":     "the end of the index is read",
		"lastChangeBefore": "the last change of each TIN is compared",
		"listDeserted":     "offices have five mailboxes at most",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		scope := access.NewScope([]string{ours, theirs})
		w := Window{From: 1, To: 9, Since: "2026-05-01", Today: "2026-05-04"}
		people(t, tx)
		box, err := addMailbox(ctx, tx, Mailbox{GroupID: 7, Email: "a@example.com", AddedAt: now, Mailing: Mailing{Digest: Daily},
			Delivered: Delivered{Day: "2026-05-04", MailedOn: "2026-05-04"}})
		assert.NoError(t, errors.Join(err,
			dbtest.Err(newestChange(ctx, tx)),
			dbtest.Err(counts(ctx, tx, scope, w)),
			dbtest.Err(countOverdue(ctx, tx, scope, w)),
			dbtest.Err(overdueBills(ctx, tx, scope, w, Place{Due: "2026-05-01"}, 3)),
			dbtest.Err(changedBills(ctx, tx, scope, Figure{Kind: Paid, Window: w}, 9, 3)),
			dbtest.Err(changedBills(ctx, tx, scope, Figure{Kind: Watched, Window: w, follower: 3}, 9, 3)),
			putSeen(ctx, tx, Seen{UserID: 3, Change: 1, Day: "2026-05-04", At: now}),
			dbtest.Err(seenBy(ctx, tx, 3)),
			dbtest.Err(restoreSeen(ctx, tx, Seen{UserID: 3, Change: 1, Day: "2026-05-04", At: now}, Seen{Day: "2026-05-04", At: now})),
			dbtest.Err(lastChangeBefore(ctx, tx, scope.TINs(), now)),
			dbtest.Err(listWatches(ctx, tx, 3)),
			dbtest.Err(lockWatches(ctx, tx, d.Dialect, 3)),
			dbtest.Err(lockBillWatches(ctx, tx, [][]any{{"111111111", "x"}}, d.Dialect.ForUpdate)), putWatches(ctx, tx, nil),
			addWatches(ctx, tx, []Watch{{UserID: 3, FTIN: ours, Kind: "BILL", Key: "x", Number: "x", At: now}}),
			dbtest.Err(countWatched(ctx, tx, scope, 3, w)),
			dbtest.Err(isWatching(ctx, tx, 3, ours, "BILL", "x")),
			dbtest.Err(removeWatch(ctx, tx, Watch{UserID: 3, FTIN: ours, Kind: "BILL", Key: "x"})),
			dbtest.Err(findBills(ctx, tx, scope, []billID{{ours, "x"}}, d.Dialect.ForShare)),
			putSettings(ctx, tx, userSettings{UserID: 3, Mailing: Mailing{Digest: Never},
				Delivered: Delivered{Day: "2026-05-04", MailedOn: "2026-05-04"}}),
			dbtest.Err(getSettings(ctx, tx, 3)),
			dbtest.Err(lockSettings(ctx, tx, d.Dialect, 3)),
			dbtest.Err(dueUsers(ctx, tx, now)),
			dbtest.Err(dueWatchers(ctx, tx, now)),
			dbtest.Err(passUser(ctx, tx, 3, now, Delivered{Day: "2026-05-04", MailedOn: "2026-05-04"})),
			dbtest.Err(passWatcher(ctx, tx, 3, now, now, 3)),
			dbtest.Err(stopUser(ctx, tx, 3)),
			dbtest.Err(listMailboxes(ctx, tx, 7)),
			dbtest.Err(mailboxByID(ctx, tx, box)),
			mintMailbox(ctx, tx, box, []byte("x")),
			dbtest.Err(mailboxByToken(ctx, tx, []byte("x"))),
			dbtest.Err(confirmMailbox(ctx, tx, box, now, Delivered{Day: "2026-05-04", MailedOn: "2026-05-04"})),
			dbtest.Err(passMailbox(ctx, tx, box, now, Delivered{Day: "2026-05-04", MailedOn: "2026-05-04"})),
			dbtest.Err(stopMailbox(ctx, tx, box, Refused, now)),
			dbtest.Err(dueMailboxes(ctx, tx, now)),
			lockGroup(ctx, tx, d.Dialect, 7),
		))
		id, first, err := addSent(ctx, tx, sentEmail{UserID: 3, Period: "x", Window: w, At: now})
		if err := errors.Join(err, dbtest.Err(sentByID(ctx, tx, id)), dbtest.Err(forgetSent(ctx, tx, now)),
			dbtest.Err(removeMailbox(ctx, tx, 7, box)), dropMailboxes(ctx, tx, now),
			dbtest.Err(countRecipients(ctx, tx, 7)), dbtest.Err(listTerminatedUsers(ctx, tx)), forgetUser(ctx, tx, 3),
			dbtest.Err(listDeserted(ctx, tx))); err !=
			nil || !first {
			t.Error(first, err)
		}
	})
}

// people creates the groups 7 with users 3 and 4, 8 with user 5, and 9 with user 6. User 3 is an
// administrator.
func people(t *testing.T, q db.Queryer) {
	t.Helper()
	for _, a := range actors {
		identitytest.Add(t, q, a.Person, "Ada Brook")
	}
	for _, a := range []access.Actor{three, five} {
		identitytest.SetTINs(t, q, a.Person, ours, theirs)
	}
	identitytest.SetTINs(t, q, four.Person, ours)
	identitytest.SetTINs(t, q, six.Person, theirs)
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people(t, d.Writer)
		seen, watch, own, box, mail := mappingtest.Filled[Seen](), mappingtest.Filled[Watch](), mappingtest.Filled[userSettings](),
			mappingtest.Filled[Mailbox](), mappingtest.Filled[sentEmail]()
		watch.Key = text.Key(watch.Number)
		seen.UserID, watch.UserID, watch.Kind, own.UserID, own.Digest, own.Hour = 3, 3, "CLAIM", 3, Daily, 5
		box.ID, box.GroupID, box.StoppedWhy, box.Digest, box.Hour = 1, 7, Refused, Mondays, 5
		mail.ID, mail.UserID, mail.MailboxID = 1, 3, 1
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(putSeen(t.Context(), tx, seen), addWatches(t.Context(), tx, []Watch{watch}),
				putSettings(t.Context(), tx, own),
				dbtest.Err(addMailbox(t.Context(), tx, box)), func() error { _, _, err := addSent(t.Context(), tx, mail); return err }())
		}))
		for _, table := range []string{"alerts_seen", "watches", "alert_settings", "group_mailboxes", "digests_sent"} {
			mappingtest.CheckRow(t, d, table)
		}
		if got, err := seens.Get(t.Context(), d.Reader, ""); err != nil || got != seen {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, seen)
		}
		if got, err := watchTable.Get(t.Context(), d.Reader, ""); err != nil || got != watch {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, watch)
		}
		if got, err := settingsTable.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, own) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, own)
		}
		if got, err := mailboxes.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, box) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, box)
		}
		if got, err := sents.Get(t.Context(), d.Reader, ""); err != nil || got != mail {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, mail)
		}
	})
}
