package directory

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"wcpp/internal/platform/db"
)

// Listing is a provider at a TIN and an office, according to a provider group's roster.
type Listing struct {
	NPI, FTIN              string
	Degrees, Languages     string // empty: stored values stay
	Office, Address        string
	Phone, Fax, OfficeMail string
}

// officeID returns the office's id, which is the same in all rosters of a provider group.
func (l Listing) officeID(sourceGroupID int64) string {
	sum := sha256.Sum256([]byte(strings.ToLower(l.Office + "\x00" + l.Address)))
	return fmt.Sprintf("R%d-%s", sourceGroupID, hex.EncodeToString(sum[:4]))
}

// ImportListing stores a roster's listing of a provider. It reports whether the provider is known;
// unknown providers must first come from the registry. Importing it again changes nothing.
func (s *Service) ImportListing(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, l Listing) (known bool, err error) {
	if err := s.takeTurn(ctx, tx); err != nil {
		return false, err
	}
	id, err := idByNPI(ctx, tx, l.NPI)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	brought, err := storeTIN(ctx, tx, id, l.FTIN)
	if err != nil {
		return true, err
	}
	office := Office{
		OfficeID: l.officeID(sourceGroupID), Name: l.Office, FTIN: l.FTIN, Address: l.Address, Phone: l.Phone, Fax: l.Fax,
		Email: l.OfficeMail,
	}
	if _, err := storeDetails(ctx, tx, id, ProviderDetails{Degrees: l.Degrees, Languages: l.Languages}); err != nil {
		return true, err
	}
	_, err = storeOffice(ctx, tx, id, office)
	return true, errors.Join(
		err,
		putListing(ctx, tx, listing{sourceGroupID, id, l.FTIN, office.OfficeID, brought}, uploadID),
	)
}

// EndListings removes data from earlier rosters of a provider group that isn't in this roster:
// offices, and TINs that no file or other roster contains. It returns how many listings it
// ended, up to limit.
func (s *Service) EndListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) (int, error) {
	if err := s.takeTurn(ctx, tx); err != nil {
		return 0, err
	}
	list, err := formerListings(ctx, tx, sourceGroupID, uploadID, limit)
	for _, l := range list {
		if err == nil {
			err = endListing(ctx, tx, l)
		}
	}
	return len(list), err
}

func endListing(ctx context.Context, tx *sql.Tx, l listing) error {
	if err := deleteListing(ctx, tx, l); err != nil {
		return err
	}
	stillListed, tinToo, err := otherListings(ctx, tx, l)
	if err != nil {
		return err
	}
	if !stillListed {
		err = deleteOffice(ctx, tx, l.ProviderID, l.OfficeID)
	}
	if err == nil && l.BroughtTIN && !tinToo {
		err = deleteTIN(ctx, tx, l.ProviderID, l.FTIN)
	}
	return err
}

type listing struct {
	SourceGroupID int64
	ProviderID    string
	FTIN          string `db:"ftin"`
	OfficeID      string
	BroughtTIN    bool `db:"brought_tin"` // no file contained the TIN before
}
