package demo

// Work is what the demo's offices do about their open bills. Of the bills of each
// state, the oldest service first, the first stays untouched.
type Work struct {
	By    string // user names
	Other string // a colleague; empty: none
	Bills []WorkOnBill
	Views []SharedView
}

// WorkOnBill is done about one bill of a state.
type WorkOnBill struct {
	State    string
	At       int // in the list of the state, from 0
	To       string
	FollowUp *int // days from today
	Parked   int  // days from today; 0: not
	Done     bool
	Note     string
}

// SharedView is a view of open bills for the group.
type SharedView struct {
	Name       string
	Definition string // as JSON
}

// workSize is how many bills of each state an office does something about.
const workSize = 16

var notes = []string{
	"Called the payer. It's with the adjuster. Call again on Friday.",
	"Records sent by fax, 14 pages.",
	"Adjuster asks for the operative report.",
	"Paid under the old schedule. Request reconsideration.",
	"Wrong claim number. Corrected and resubmitted.",
}

// Works are those of the accounts for trying out the portal.
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
					b.Done = at%2 == 0
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
		{"Unpaid after 45 days", `{"filter":{"states":["priced"],"ageFrom":46},"columns":["bill","claimant","service","age","payer","charge","allowance","due","followUp","assigned","notes"]}`},
	}
	return []Work{office, of("nnus.demo", "", states[:2], 6)}
}
