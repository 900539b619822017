// Package demo creates data for trying out the portal: groups, accounts, providers, claims,
// bills and payments of fictitious people. It writes the same kinds of files that a network
// would send. The same day and number of bills produce the same files.
package demo

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"wcpp/internal/platform/date"
)

// DefaultBills is the default number of demo bills.
const DefaultBills = 2000

// Account is a demo account.
type Account struct {
	UserName string
	Type     string
	Role     string // of network staff
	About    string
}

// Accounts has one active account of each type and staff role. The files contain more accounts, in
// every status.
var Accounts = []Account{
	{"prad.demo", "PRAD", "", "provider admin of Lakeside Orthopedic & Sports Medicine"},
	{"prus.demo", "PRUS", "", "provider user in the same group"},
	{"nnus.demo", "NNUS", "", "non-network user with two TINs"},
	{"road.demo", "ROAD", "", "roster admin"},
	{"rous.demo", "ROUS", "", "roster user"},
	{"irad.demo", "IRAD", "", "internal admin, read only"},
	{"isad.demo", "ISAD", "", "internal system admin"},
	{"clerk.demo", "IRAD", "CASES", "internal admin who answers questions"},
	{"lead.demo", "IRAD", "LEAD", "internal admin who assigns questions"},
}

// Unfinished is an active account with a profile that is incomplete at sign-in.
const Unfinished = "wortega"

// File is one of the demo's feeds: X12, CSV of the given kind, or documents.
type File struct {
	Name string
	Kind string // x12, documents, or a kind of table
}

// Files writes the demo's feeds and lists them in import order. Memory use doesn't grow with the
// number of bills.
func Files(ctx context.Context, today date.Date, bills int, create func(name string) (io.WriteCloser, error)) ([]File, error) {
	w := newWorld(today, bills)
	files := []struct {
		File
		write func(context.Context, *bufio.Writer) error
	}{
		{File{"groups.csv", "groups"}, writeTable(w.groupRows)},
		{File{"users.csv", "users"}, writeTable(w.userRows)},
		{File{"tins.csv", "tins"}, writeTable(w.tinRows)},
		{File{"providers.csv", "providers"}, writeTable(w.providerRows)},
		{File{"provider_details.csv", "provider_details"}, writeTable(w.detailRows)},
		{File{"specialties.csv", "specialties"}, writeTable(w.specialtyRows)},
		{File{"offices.csv", "offices"}, writeTable(w.officeRows)},
		{File{"office_details.csv", "office_details"}, writeTable(w.officeDetailRows)},
		{File{"licenses.csv", "licenses"}, writeTable(w.licenseRows)},
		{File{"claims.csv", "claims"}, writeTable(w.claimRows)},
		{File{"products.csv", "products"}, writeTable(w.productRows)},
		{File{"clients.csv", "clients"}, writeTable(w.clientRows)},
		{File{"participations.csv", "participations"}, writeTable(w.participationRows)},
		{File{"exclusions.csv", "exclusions"}, writeTable(w.exclusionRows)},
		{File{"rate_codes.csv", "rate_codes"}, writeTable(w.rateCodeRows)},
		{File{"allowances.csv", "allowances"}, writeTable(w.allowanceRows)},
		{File{"roster_sources.csv", "roster_sources"}, writeTable(w.rosterSourceRows)},
		{File{"roster_source_groups.csv", "roster_source_groups"}, writeTable(w.rosterSourceGroupRows)},
		{File{"group_sources.csv", "group_sources"}, writeTable(w.groupSourceRows)},
		{File{"bills-professional.edi", "x12"}, w.writeProfessional},
		{File{"bills-institutional.edi", "x12"}, w.writeInstitutional},
		{File{"payments.edi", "x12"}, w.writePayments},
		{File{"documents.zip", "documents"}, w.writePapers},
	}
	var written []File
	for _, f := range files {
		out, err := create(f.Name)
		if err != nil {
			return nil, err
		}
		buffered := bufio.NewWriterSize(out, 1<<16)
		err = f.write(ctx, buffered)
		if err == nil {
			err = buffered.Flush()
		}
		if closing := out.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
		written = append(written, f.File)
	}
	return written, nil
}

// writeTable writes a file of rows, with the column names first.
func writeTable(rows func(context.Context, func(...string)) error) func(context.Context, *bufio.Writer) error {
	return func(ctx context.Context, out *bufio.Writer) error {
		w := csv.NewWriter(out)
		var failed error
		err := rows(ctx, func(fields ...string) {
			if failed == nil {
				failed = w.Write(fields)
			}
		})
		w.Flush()
		switch {
		case err != nil:
			return err
		case failed != nil:
			return failed
		}
		return w.Error()
	}
}

// newRandom returns the random numbers of one item, seeded by its numbers. The same item always
// gets the same numbers, so nothing has to be stored.
func newRandom(about uint64, numbers ...int) *rand.Rand {
	mixed := about * 0x9E3779B97F4A7C15
	for _, n := range numbers {
		mixed = (mixed ^ uint64(n)) * 0xBF58476D1CE4E5B9
		mixed ^= mixed >> 31
	}
	return rand.New(rand.NewPCG(20260214, mixed))
}

// Topics of chance.
const (
	aboutPeople = iota + 1
	aboutPractices
	aboutClaims
	aboutBills
	aboutCorrections
	aboutPayments
	aboutClients
	aboutDirectory
	aboutRosters
	aboutVoids
	aboutUnmatched
	aboutResent
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// isOneIn is true with a probability of 1 in n.
func isOneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// newNPI creates a National Provider Identifier with a valid check digit. Numbers that begin with 2
// are valid but never assigned.
func newNPI(n int) string {
	digits := fmt.Sprintf("2%08d", n)
	sum := 24 // contribution of the ISO 7812 prefix 80840
	for i := range digits {
		d := int(digits[i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

// formatDollars formats cents as X12 and CSV require.
func formatDollars(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	if cents%100 == 0 {
		return fmt.Sprintf("%s%d", sign, cents/100)
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// formatCompact formats a date as X12 requires.
func formatCompact(d date.Date) string { return d.Time().Format("20060102") }
