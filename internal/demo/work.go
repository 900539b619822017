package demo

// Work is a demo office's work on its open bills. Bills are numbered within each state, oldest
// service first. The first bill of each state stays untouched.
type Work struct {
	By    string // usernames
	Other string // a colleague; empty: none
	Bills []WorkOnBill
	Views []SharedView
}

// WorkOnBill is work on one bill of a state.
type WorkOnBill struct {
	State    string
	At       int // position in the state's list, from 0
	To       string
	FollowUp *int // days from today
	Parked   int  // days from today; 0: not snoozed
	Done     bool
	Note     string
	Call     *PayerCall
}

// PayerCall is a call to the payer about a bill.
type PayerCall struct {
	Person, Outcome, Reference, Body string
	Promised                         int // days from today; 0: not promised
}

// SharedView is a saved view of open bills, shared with the group.
type SharedView struct {
	Name       string
	Definition string // JSON
}

// workSize is the number of bills per state that an office works on.
const workSize = 16

var notes = []string{
	"Called the payer. It's with the adjuster. Call again on Friday.",
	"Records sent by fax, 14 pages.",
	"Adjuster asks for the operative report.",
	"Paid under the old schedule. Request reconsideration.",
	"Wrong claim number. Corrected and resubmitted.",
}

var payerCalls = []PayerCall{
	{Person: "Ms. Hale", Outcome: "promised", Reference: "C-40817", Body: "Check run is on Thursday.", Promised: 6},
	{Person: "Claims line", Outcome: "notOnFile", Body: "No bill on file under this claim number."},
	{Person: "Mr. Osei", Outcome: "resend", Reference: "C-41190", Body: "Fax it to the adjuster with the operative report."},
}

// Works returns the work of the demo accounts.
func Works() []Work {
	days := func(n int) *int { return &n }
	of := func(by, other string, states []string, size int) Work {
		w := Work{By: by, Other: other}
		for s, state := range states {
			for at := 1; at < size; at++ {
				b := WorkOnBill{State: state, At: at}
				switch n := at + 3*s; n % 7 {
				case 0:
					b.To, b.FollowUp = by, days(0)
				case 1:
					b.To, b.FollowUp = other, days(n%5)
				case 2:
					b.Note = notes[n%len(notes)]
				case 3:
					b.To, b.Note, b.FollowUp = other, notes[(n+1)%len(notes)], days(0)
				case 4:
					b.Parked = 3 + n%9
				case 5:
					if b.Done = at%2 == 0; b.Done {
						b.To = other
					}
				case 6:
					b.Call = &payerCalls[n%len(payerCalls)]
				}
				w.Bills = append(w.Bills, b)
			}
		}
		return w
	}
	states := []string{"received", "priced", "denied", "short", "takenBack"}
	office := of("prad.demo", "prus.demo", states, workSize)
	office.Views = []SharedView{
		{"Denied, last 30 days", `{"filter":{"states":["denied"],"answered":"last30"}}`},
		{"Unpaid after 45 days", `{"filter":{"states":["priced"],"ageFrom":46},"columns":["bill","claimant","service","age","payer",` +
			`"charge","allowance","due","followUp","assigned","notes"]}`},
	}
	return []Work{office, of("nnus.demo", "", states[:2], 6)}
}
