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

// Listing is a provider at a TIN and an office, as the roster of a provider group tells
// them.
type Listing struct {
	NPI, FTIN              string
	Degrees, Languages     string // empty: what is known stays
	Office, Address        string
	Phone, Fax, OfficeMail string
}

// officeID names the office of a provider group's roster, in any roster the same.
func (l Listing) officeID(sourceGroupID int64) string {
	sum := sha256.Sum256([]byte(strings.ToLower(l.Office + "\x00" + l.Address)))
	return fmt.Sprintf("R%d-%s", sourceGroupID, hex.EncodeToString(sum[:4]))
}

// TakeListing stores what a roster tells of a provider, and answers whether the provider
// is known: those that are not come by the registry first. Taking it again changes
// nothing.
func (s *Service) TakeListing(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, l Listing) (known bool, err error) {
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
		OfficeID: l.officeID(sourceGroupID), Name: l.Office, FTIN: l.FTIN, Address: l.Address, Phone: l.Phone, Fax: l.Fax, Email: l.OfficeMail,
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

// EndListings takes out of the directory what earlier rosters of a provider group told
// and this one does not: offices, and TINs that no file and no other roster tells. It
// answers how many listings it ended, at most limit.
func (s *Service) EndListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) (int, error) {
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
	BroughtTIN    bool `db:"brought_tin"` // no file had told the TIN before
}
