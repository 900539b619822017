package directory

import (
	"errors"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		if _, err := providersOf(t.Context(), q, "123456789", Lookup{Type: "P", LastName: "ho"}, 10); err != nil {
			t.Error(err)
		}
		for name, find := range map[string]func() error{
			"record":      func() error { _, err := recordOf(t.Context(), q, "7"); return notFound(err) },
			"specialties": func() error { _, err := specialtiesOf(t.Context(), q, "7"); return err },
			"offices":     func() error { _, err := officesOf(t.Context(), q, "7"); return err },
			"details":     func() error { _, err := detailsOf(t.Context(), q, "7"); return err },
			"licences":    func() error { _, err := licensesOf(t.Context(), q, "7"); return err },
			"TINs":        func() error { _, err := tinsOf(t.Context(), q, "7"); return err },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, id := range []string{"", "700"} {
			if _, err := providerIDs(t.Context(), q, "123456789", id); err != nil {
				t.Error(err)
			}
		}
	})
}

func notFound(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}
