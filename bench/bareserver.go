package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/money"
)

// serveBare is a server with only the portal's query: no session, scope, audit, sealed page or log. It
// stops with the context.
func serveBare(ctx context.Context, address, databaseURL string) error {
	query, err := portalQuery(ctx)
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer d.Close()
	server := http.Server{Addr: address, ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			var in search.BillSearch
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			list, err := findBare(r.Context(), d, query, in)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(list) // the client notices a short response
		})}
	context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // nothing to save
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// findBare returns search results with links of the portal's length.
func findBare(ctx context.Context, d *db.DB, query string, in search.BillSearch) ([]record.BillResult, error) {
	q := question{ftin: in.FTIN, last: in.ClaimantLastName, first: in.ClaimantFirstName, birth: in.ClaimantDateOfBirth,
		begin: in.BeginServiceDate, end: in.EndServiceDate}
	rows, err := d.Reader.QueryContext(ctx, query, q.args()...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := strings.Repeat("A", sealedLength)
	link := func(kind string) string {
		return "/api/billSearch/billImage/" + kind + "." + page + "?id=" + kind + "." + page
	}
	var list []record.BillResult
	for rows.Next() {
		r := record.BillResult{BillImageURL: link(record.Image), Page: page}
		var charges int64
		var allowance, paid *int64
		var sheet, eor bool
		var state, replaced string
		err := rows.Scan(&sheet, &state, &replaced, &r.FTIN, &r.DocumentID, &r.BillingID, &r.ClaimNumber, &r.PatientFirstName,
			&r.PatientMiddleName, &r.PatientLastName, &r.BeginServiceDate, &r.EndServiceDate, &r.DateOfInjury, &r.PhysicianFirstName,
			&r.PhysicianMiddleName, &r.PhysicianLastName, &r.FacilityName, &charges, &allowance, &r.BillStatus, &eor, &r.PayerID,
			&r.PayerName, &paid, &r.PaidDate, &r.CheckNumber, &r.BillControlNumber)
		if err != nil {
			return nil, err
		}
		r.BillCharges, r.RecommendedAllowance, r.PaidAmount = money.OrNone(&charges), money.OrNone(allowance), money.OrNone(paid)
		if r.McpsBill, r.EOR = sheet, eor && !sheet; r.EOR {
			r.EORImageURL = link(record.EOR)
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// sealedLength is the length of a sealed page ID.
const sealedLength = 90

// startBare starts the bare server as a process of its own.
func (b *bench) startBare(ctx context.Context, databaseURL string) (*portal, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address, err := findAddress()
	if err != nil {
		return nil, err
	}
	p := &portal{url: "http://" + address}
	if p.log, err = os.Create(filepath.Join(b.dir, "bare-"+strings.ReplaceAll(address, ":", "-"))); err != nil {
		return nil, err
	}
	p.process = exec.CommandContext(ctx, program, "-bare", address, "-database", databaseURL)
	p.process.Stderr, p.process.Stdout = p.log, io.Discard
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	for started := time.Now(); time.Since(started) < 10*time.Second; time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			return p, conn.Close()
		}
	}
	text, _ := os.ReadFile(p.log.Name())
	return nil, errors.Join(fmt.Errorf("the bare server isn't ready: %s", text), p.process.Process.Signal(syscall.SIGTERM))
}
