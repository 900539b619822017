package claims

import (
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/seal"
)

// The service desk finds a claim however its number is grouped.
func TestFindByNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(platform.Kit{DB: d, Clock: time.Now}, Settings{})
		for _, number := range []string{"WC-7", "WC7", "W 8", "-", "WC–9"} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return save(t.Context(), tx, Claim{ClaimNumber: number}) }))
		}
		for typed, want := range map[string]string{
			"wc7": "WC-7 WC7", "W-C 7": "WC-7 WC7", "w8": "W 8", "wc–9": "WC–9", "wc–7": "WC-7 WC7",
			"W\u2011C7": "WC-7 WC7", "WC": "", "–": "", "-": "", "": "",
		} {
			list, err := s.FindByNumber(t.Context(), typed, 10)
			if got := strings.Join(claimNumbers(list), " "); err != nil || got != want {
				t.Errorf("%q finds %q, want %q, %v", typed, got, want, err)
			}
		}
	})
}

// A search ignores everything but the letters of a name. Until the job adds keys to older
// claims, it finds these by their exact names.
func TestNamesCompareByLetters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		entries := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Sealer: seal.New(make([]byte, 32))})
		t.Cleanup(entries.Close)
		s := NewService(platform.Kit{DB: d, Audit: entries, Clock: time.Now}, Settings{})
		for i, name := range [][2]string{{"NU\u00d1EZ", "JOS\u00c9 LUIS"}, {"NUNEZ", "JOSE LUIS"}, {"O'Brien", "Pat"}, {"Smith Jr", "John"},
			{"Smith Sr", "John"}, {"Smith", "John"}} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				return save(t.Context(), tx, Claim{
					ClaimNumber: fmt.Sprint("C", i), ClaimantLastName: name[0], ClaimantFirstName: name[1], ClaimantBirthDate: "1970-01-02",
					DateOfInjury: "2025-03-04",
				})
			}))
		}
		check := func(when, last, first string, wildcard bool, want string) {
			t.Helper()
			list, _, err := s.Find(t.Context(), Search{LastName: last, FirstName: first, BirthDate: "1970-01-02",
				DateOfInjury: "2025-03-04", Wildcard: wildcard})
			if got := strings.Join(claimNumbers(list), " "); err != nil || got != want {
				t.Errorf("%s: %s, %s finds %q, want %q, %v", when, last, first, got, want, err)
			}
		}
		check("now", "Nunez", "Jose Luis", false, "C1 C0")
		check("now", "nun\u0303ez", "jos\u00e9 luis", false, "C0 C1")
		check("now", "Nunez", "Jose", false, "")
		check("now", "Nunez", "Jos\u00e9*", true, "C0 C1")
		check("now", "OBRIEN", "PA", true, "C2")
		check("now", "Smith", "John", false, "C5 C3 C4")
		check("now", "Smith JR.", "Jo", true, "C3 C5")
		if _, err := db.Exec(t.Context(), d.Writer, `UPDATE claims SET claimant_name_key = '' WHERE claim_number_key <> 'c1'`); err != nil {
			t.Fatal(err)
		}
		check("before", "Nunez", "Jose Luis", false, "C1")
		check("before", "Nu\u00f1ez", "Jos\u00e9 Luis", false, "C0 C1")
		check("before", "O'Brien", "P", true, "C2")
		require.NoError(t, s.NameClaims(t.Context()))
		check("afterwards", "Nunez", "Jose Luis", false, "C1 C0")
	})
}
