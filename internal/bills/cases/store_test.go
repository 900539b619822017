package cases

import (
	"database/sql"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	scans := dbtest.Scans{"listQueue": "what waits is listed by an index, up to a limit",
		"listLegal": "required letters are listed by an index, up to a limit",
		"listOwn":   "each TIN adds up to a part of the list", "countOverdue": "counts up to 1,001 cases by an index",
		"listReplies": "there are up to 100",
		"countOpen":   "reads open cases by an index", "countKinds": "reads open cases by an index"}
	dbtest.CheckPlans(t, scans, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		identitytest.Add(t, tx, three.Person, "User 3")
		now := db.At(time.Now())
		c, err := addCase(ctx, tx, Case{Kind: KindQuestion, Topic: TopicPrice, Group: 7, OpenedBy: 3, FTIN: ours, State: Open,
			OpenedAt: now, DueAt: now,
			RequestKey: "k", Version: 1})
		v := viewer{three.Person, access.NewScope([]string{ours, theirs})}
		for _, q := range Queues() {
			err = errors.Join(err, dbtest.Err(listQueue(ctx, tx, q, 3, now, 50)), dbtest.Err(listLegal(ctx, tx, q, 3, "2026-03-01", 50)))
		}
		assert.ErrorIs(t, dbtest.Err(getBillLaw(ctx, tx, aboutBill{FTIN: ours, Bill: "x"})), db.ErrNotFound)
		assert.ErrorIs(t, dbtest.Err(getTraceNumber(ctx, tx, record.RemittanceID{FTIN: ours, Remittance: "r"})), db.ErrNotFound)
		assert.NoError(t, errors.Join(err,
			addBills(ctx, tx, []aboutBill{{CaseID: c.ID, FTIN: ours, Bill: "x"}}),
			dbtest.Err(insertEntry(ctx, tx, Entry{CaseID: c.ID, At: now, Author: 3, Side: Office, Visible: Both, Kind: Message,
				RequestKey: "e"})),
			putCase(ctx, tx, c), putRead(ctx, tx, read{c.ID, 3, 1}),
			dbtest.Err(getByKey(ctx, tx, 3, "k")), dbtest.Err(getCase(ctx, tx, c.Number, d.Dialect.ForUpdate)),
			dbtest.Err(listBills(ctx, tx, []int64{c.ID})), dbtest.Err(listEntries(ctx, tx, c.ID, Office)),
			dbtest.Err(listEntries(ctx, tx, c.ID, Network)), dbtest.Err(getEntryByKey(ctx, tx, 3, "e")), moveEntries(ctx, tx, c.ID, c.ID),
			dbtest.Err(countContacts(ctx, tx, 7, ours, "x")), dbtest.Err(getByID(ctx, tx, c.ID)), deleteCallEntry(ctx, tx, c.ID, 99),
			deleteCall(ctx, tx, 99), dbtest.Err(newFiles.Add(ctx, tx, File{AddedBy: 3, StorageKey: "x", At: now}, "id")),
			dbtest.Err(listFiles(ctx, tx, c.ID)), dbtest.Err(listUnsent(ctx, tx, 3, []int64{1, 2}, d.Dialect.ForUpdate)),
			dbtest.Err(sumUnsent(ctx, tx, 3)), dbtest.Err(listExpired(ctx, tx, now, d.Dialect.SkipLocked)),
			dbtest.Err(listStored(ctx, tx, []string{"x"})), deleteFile(ctx, tx, 99),
			dbtest.Err(listReads(ctx, tx, 3, []int64{c.ID})), dbtest.Err(listAbout(ctx, tx, 7, ours, "x")),
			dbtest.Err(listOpenAbout(ctx, tx, ours, "x")),
			dbtest.Err(listOwn(ctx, tx, v, ownPart{[]State{Open, Waiting}, false, true, 9, 50})),
			dbtest.Err(listOwn(ctx, tx, v, ownPart{tabStates[TabAll], false, false, 0, 50})),
			dbtest.Err(listOwn(ctx, tx, v, ownPart{tabStates[TabReply], true, false, 9, 50})),
			dbtest.Err(listUnreplied(ctx, tx, now, now, d.Dialect.SkipLocked)),
			dbtest.Err(listComplaints(ctx, tx, c, "2026-03-01", 50)),
			insertLetter(ctx, tx, letter{CaseID: c.ID, Kind: Acknowledgment, MadeAt: now, StorageKey: "k"}),
			putLetter(ctx, tx, letter{ID: 1, CaseID: c.ID, Kind: Acknowledgment, MadeAt: now, StorageKey: "k"}),
			dbtest.Err(listReplies(ctx, tx)), deleteReply(ctx, tx, 99), dbtest.Err(listWriters(ctx, tx, c.ID, now)),
			deleteWriter(ctx, tx, writer{c.ID, 3, now}), deleteOldWriters(ctx, tx, now),
			dbtest.Err(getLetter(ctx, tx, c.ID, 1)), dbtest.Err(listLetters(ctx, tx, c.ID)),
			dbtest.Err(listStoredLetters(ctx, tx, []string{"k"})),
			dbtest.Err(listOwned(ctx, tx, 3, d.Dialect.ForUpdate)),
			dbtest.Err(listOwn(ctx, tx, v, ownPart{tabStates[TabOpen], false, false, 9, 50})),
			dbtest.Err(countForUser(ctx, tx, v)), dbtest.Err(countOverdue(ctx, tx, now)),
			dbtest.Err(countLegalOverdue(ctx, tx, now, "2026-03-01")), dbtest.Err(listByID(ctx, tx, []int64{1, 2})),
			dbtest.Err(listAuthors(ctx, tx, c.ID)), dbtest.Err(listAdmins(ctx, tx, 7)),
			dbtest.Err(countOpen(ctx, tx, now)), dbtest.Err(countKinds(ctx, tx, now)),
			dbtest.Err(countCalls(ctx, tx, span{now, now})), eachAnswered(ctx, tx, span{now, now}, func(answered) {}),
			dbtest.Err(addEmail(ctx, tx, caseEmail{ID: 1, UserID: 3, SendAt: now, Cases: []int64{1}})),
			putEmail(ctx, tx, caseEmail{ID: 1, UserID: 3, SendAt: now}), dbtest.Err(getEmail(ctx, tx, 1)),
			dbtest.Err(latestEmail(ctx, tx, 3, d.Dialect.ForUpdate)), dbtest.Err(listDueEmails(ctx, tx, now, d.Dialect.SkipLocked)),
			dbtest.Err(deleteEmails(ctx, tx, now)),
		))
	})
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		identitytest.Add(t, d.Writer, access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}, "User 3")
		c, bill := mappingtest.Filled[Case](), mappingtest.Filled[aboutBill]()
		entry, seen, file := mappingtest.Filled[Entry](), mappingtest.Filled[read](), mappingtest.Filled[File]()
		email := mappingtest.Filled[caseEmail]()
		c.ID, c.Group, c.OpenedBy, c.Owner, c.MergedInto = 1, 7, 3, 3, 1
		c.Kind, c.State, c.Topic, c.Helpful, c.Origin, c.Outcome = KindQuestion, Open, TopicPrice, "YES", ByMail, PartlyUpheld
		sent := mappingtest.Filled[letter]()
		sent.ID, sent.CaseID, sent.Kind = 1, 1, Resolution
		bill.ID, bill.CaseID = 1, 1
		entry.Files = nil // claimed, not stored with the entry
		entry.ID, entry.CaseID, entry.Author, entry.Side, entry.Visible, entry.Kind = 1, 1, 3, Office, Both, Message
		seen.CaseID, seen.UserID = 1, 3
		email.ID, email.UserID = 1, 3
		file.ID, file.CaseID, file.EntryID, file.AddedBy = 1, 1, 1, 3
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			var err error
			c, err = addCase(t.Context(), tx, c)
			return errors.Join(err, addBills(t.Context(), tx, []aboutBill{bill}), dbtest.Err(insertEntry(t.Context(), tx, entry)),
				putRead(t.Context(), tx, seen), dbtest.Err(newFiles.Add(t.Context(), tx, file, "id")),
				dbtest.Err(addEmail(t.Context(), tx, email)), insertLetter(t.Context(), tx, sent))
		}))
		for _, table := range []string{
			"cases", "case_bills", "case_entries", "case_reads", "case_files", "case_emails", "case_letters",
		} {
			mappingtest.CheckRow(t, d, table)
		}
		if got, err := cases.Get(t.Context(), d.Reader, ""); err != nil || got != c {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, c)
		}
		if got, err := caseBills.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, bill) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, bill)
		}
		if got, err := entries.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, entry) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, entry)
		}
		if got, err := letters.Get(t.Context(), d.Reader, ""); err != nil || got != sent {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, sent)
		}
		if got, err := caseEmails.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, email) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, email)
		}
		if got, err := files.Get(t.Context(), d.Reader, ""); err != nil || got != file {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, file)
		}
		if got, err := reads.Get(t.Context(), d.Reader, ""); err != nil || got != seen {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, seen)
		}
	})
}
