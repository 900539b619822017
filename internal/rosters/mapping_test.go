package rosters

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mappingtest"
)

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, s := range []Source{{SourceID: 7, Name: "North Hub"}, {SourceID: 7, Name: "South Hub"}} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				if o, err := ImportSource(t.Context(), tx, s); err != nil || o != ingest.Imported {
					t.Errorf("%s, %v", o, err)
				}
				return nil
			}))
			mappingtest.CheckRow(t, d, "roster_sources")
			if list, err := sourcesByID(t.Context(), d.Writer, []int64{7}); err != nil || len(list) != 1 || list[0] != s {
				t.Errorf("%+v, %v", list, err)
			}
		}
		first, second := mappingtest.Filled[SourceGroup](), mappingtest.Other[SourceGroup]()
		second.SourceGroupID = first.SourceGroupID
		first.SourceID, second.SourceID = 7, 7
		for _, g := range []SourceGroup{first, second} {
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				if o, err := ImportSourceGroup(t.Context(), tx, g); err != nil || o != ingest.Imported {
					t.Errorf("%s, %v", o, err)
				}
				return nil
			}))
			mappingtest.CheckRow(t, d, "roster_source_groups")
			if list, err := allSourceGroups(t.Context(), d.Writer); err != nil || len(list) != 1 || list[0] != g {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, list, g)
			}
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(hubSource(mappingtest.Filled[Source]())))
	assert.Nil(t, mappingtest.ListEmpty(hubSourceGroup(mappingtest.Filled[SourceGroup]())))
	u, r := mappingtest.Filled[UploadLog](), mappingtest.Filled[Report]()
	r.Unreadable, r.Missing = "", nil
	report, err := json.Marshal(r)
	require.NoError(t, err)
	u.Files[0].Report = string(report)
	// Only unchecked files have a reason for being unread.
	if empty := mappingtest.ListEmpty((&Service{receives: true}).toUploadLog(u)); fmt.Sprint(empty) != "[Files.Unread]" {
		t.Errorf("%v", empty)
	}
}
