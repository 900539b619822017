package documents

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/scans"
	"wcpp/internal/platform/text"
)

// paperKey returns the storage key of a paper from the SHA-256 of its content. So the key
// doesn't reveal the bill.
func paperKey(sha256 string) string { return "papers/" + sha256 }

// sentPaper is a row of an archive's manifest.
type sentPaper struct {
	FTIN, Number, Kind string
	File               ingest.Attached
	mediaType          string
	isStored           *bool
}

var manifestColumns = []ingest.Column[sentPaper]{
	ingest.Required("tin", ingest.TIN(func(r *sentPaper) *string { return &r.FTIN })),
	ingest.Required("bill_control_number", ingest.Text(func(r *sentPaper) *string { return &r.Number }, 50)),
	ingest.Required("kind", func(r *sentPaper, value string) error {
		r.Kind = strings.ToLower(value)
		if kinds := []string{facts.ImagePaper, facts.EORPaper, facts.SheetPaper}; !slices.Contains(kinds, r.Kind) {
			return fmt.Errorf("is none of %s", strings.Join(kinds, ", "))
		}
		return nil
	}),
}

// Feeds returns the feed for archives of bill papers.
func (s *Service) Feeds() []ingest.Feed {
	archive := ingest.Archive[sentPaper]{
		Columns:  manifestColumns,
		Attached: func(r *sentPaper) *ingest.Attached { return &r.File },
		Check: func(r *sentPaper) (err error) {
			r.isStored = new(bool)
			r.mediaType, err = scans.Check(context.Background(), r.File.Content)
			return err
		},
		MaxBytes: scans.MostBytes,
	}
	return []ingest.Feed{archive.Feed("documents", "documents*.zip", "bill documents", s.importPapers)}
}

// importPapers stores accepted papers. Their contents are stored first, outside of the transaction.
func (s *Service) importPapers(ctx context.Context, tx *sql.Tx, rows []sentPaper) ([]ingest.Outcome, error) {
	list := make([]ledger.SentPaper, len(rows))
	var missing []int
	for i, r := range rows {
		hash := sha256.Sum256(r.File.Content)
		list[i].Paper = facts.Paper{
			FTIN: r.FTIN, Bill: text.Key(r.Number), Kind: r.Kind,
			SHA256: hex.EncodeToString(hash[:]), MediaType: r.mediaType, Size: int64(len(r.File.Content)),
		}
		list[i].OnAccept = func() {
			if !*r.isStored {
				missing = append(missing, i)
			}
		}
	}
	outcomes, err := s.ledger.ImportPapers(ctx, tx, list)
	if err != nil || len(missing) == 0 {
		return outcomes, err
	}
	return nil, &ingest.StoreFirst{Do: func(ctx context.Context) error {
		for _, i := range missing {
			if err := blob.Copy(ctx, s.files, paperKey(list[i].SHA256), bytes.NewReader(rows[i].File.Content)); err != nil {
				return err
			}
			*rows[i].isStored = true
		}
		return nil
	}}
}

// paper returns the network's paper of a kind for a bill.
func (s *Service) paper(ctx context.Context, b record.Bill, kind string) (facts.Paper, bool, error) {
	papers, err := store.ListPapers(ctx, s.db.Reader, b)
	p, is := facts.FindLatestPaper(papers, kind)
	return p, is, err
}

// readPaper returns a paper as PDF.
func (s *Service) readPaper(ctx context.Context, p facts.Paper) ([]byte, error) {
	file, err := s.files.Open(ctx, paperKey(p.SHA256))
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	return scans.AsPDF(content, p.MediaType)
}
