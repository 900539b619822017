package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/detail"
)

// Staff who open a bill's page see the open questions of all offices about it, before they answer
// the phone call.
func TestDeskBillShowsItsQuestions(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.takeTable("bills", paperBills)
		sealed := func(number string) string {
			id, err := p.Bills.Records.PageID("111111111", number)
			require.NoError(t, err)
			return id
		}
		prad, staff := bearer(p.signIn("prad")), p.startSupport("isad", "CALL")
		open := func(number string) []detail.BillQuestion {
			t.Helper()
			var page detail.DeskBillPage
			r := p.post("/desk/bills/open", fields{"id": sealed(number)}, staff)
			p.want(r, 200, "")
			assert.NotContains(t, string(r.body), `"questions":null`, "no list of questions")
			r.into(t, &page)
			return page.Questions
		}
		var asked struct {
			Number  string
			Version int64
		}
		p.post("/work/cases", fields{"requestKey": "k", "topic": "PRICE", "body": "Why?", "bills": []string{sealed("b-1")}}, prad).
			into(t, &asked)

		if list := open("b-1"); len(list) != 1 || list[0].Number != asked.Number || list[0].State != "OPEN" || list[0].Office == "" {
			t.Errorf("questions about the bill: %+v", list)
		}
		assert.Empty(t, open("b-2"))
		p.want(p.post("/work/cases/"+asked.Number+"/withdraw", fields{"version": asked.Version}, prad), 200, "")
		assert.Empty(t, open("b-1"))
	})
}
