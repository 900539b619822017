package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
)

// Script is everything that a simulation does. It's a function of a seed, so that a failure can
// be repeated, and a list, so that it can be shortened.
type Script struct {
	Seed     uint64 `json:"seed"`
	Database string `json:"database"` // sqlite or postgres
	Steps    []Step `json:"steps"`
}

// Step is one step of a script. Its numbers choose among what exists when it runs, so a step
// stays valid if others are removed.
type Step struct {
	Do string    `json:"do"`
	N  [4]uint32 `json:"n"`
	// With runs the next steps at the same time as this one.
	With int `json:"with,omitempty"`
	// Fault happens while the step runs, at the call to database or files with the number At.
	Fault string `json:"fault,omitempty"`
	At    int64  `json:"at,omitempty"`
}

// Faults of a step.
const (
	faultKill       = "kill"       // SIGKILL at a call or response
	faultCut        = "cut"        // all connections to PostgreSQL
	faultRestart    = "restart"    // PostgreSQL ends all sessions, At milliseconds after the start
	faultDisconnect = "disconnect" // the client hangs up
	faultDisk       = "disk"       // files can't grow
	faultStorage    = "storage"    // the file storage is away
)

// weights are how often each action occurs on a day.
var weights = []struct {
	do    string
	times int
}{
	{"sign-in", 14}, {"search", 26}, {"open-bills", 10}, {"remittances", 6}, {"note", 12}, {"work", 12}, {"payer-call", 6},
	{"post", 6}, {"lookup", 4}, {"export", 3}, {"upload", 9}, {"drop-file", 2}, {"upload-again", 2}, {"set-tins", 9}, {"reset", 4},
	{"sign-out", 2}, {"mirror", 3}, {"add-user", 2}, {"terminate", 2}, {"bulk-job", 2}, {"group-tin", 2},
	{"send-roster", 4}, {"handle-roster", 5}, {"announce", 3}, {"table", 3}, {"factors", 2}, {"digest", 3},
	{"ask", 15}, {"follow-up", 12}, {"handle-question", 14}, {"log-call", 6},
	{"merge", 10}, {"open-call", 4}, {"record-complaint", 4}, {"send-again", 8},
	{"relay", 2}, {"clock", 1}, {"join-instance", 1}, {"leave-instance", 1},
}

// races are actions that are run together on purpose.
var races = [][]string{
	{"set-tins", "set-tins"}, {"set-tins", "set-tins"}, {"set-tins", "set-tins", "search"},
	{"work", "work"}, {"reset", "sign-in"}, {"reset", "sign-in"},
	{"reset", "reset"}, {"reset", "sign-in", "sign-in"}, {"terminate", "sign-in", "search"},
	{"set-tins", "search", "open-bills"}, {"upload", "note", "work"}, {"upload", "upload-again"}, {"payer-call", "payer-call"},
	{"post", "post"}, {"upload", "upload"}, {"add-user", "add-user"}, {"note", "terminate"}, {"group-tin", "set-tins", "search"},
	{"handle-roster", "handle-roster"}, {"send-roster", "send-roster"},
	{"handle-question", "handle-question"}, {"handle-question", "follow-up"}, {"handle-question", "follow-up", "follow-up"},
	{"ask", "ask"}, {"log-call", "follow-up"}, {"log-call", "handle-question"}, {"ask", "set-tins"}, {"upload", "ask", "follow-up"},
	{"merge", "merge"}, {"merge", "follow-up"}, {"merge", "handle-question"}, {"merge", "log-call"}, {"merge", "send-again"},
	{"open-call", "open-call"}, {"open-call", "handle-question"}, {"record-complaint", "record-complaint"},
	{"record-complaint", "set-tins"},
}

// newScript makes the script of a seed for some days on a database.
func newScript(seed uint64, days int, database string) Script {
	r := rand.New(rand.NewPCG(seed, 2027))
	s := Script{Seed: seed, Database: database}
	step := func(do string) Step {
		return Step{Do: do, N: [4]uint32{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}}
	}
	var bag []string
	for _, w := range weights {
		for range w.times {
			bag = append(bag, w.do)
		}
	}
	for range days {
		r.Shuffle(len(bag), func(i, j int) { bag[i], bag[j] = bag[j], bag[i] })
		s.Steps = append(s.Steps, step("morning"), step("upload"))
		for _, do := range bag {
			first := step(do)
			switch n := r.IntN(100); {
			case n < 4:
				first.Fault, first.At = faultKill, 1+int64(r.IntN(60))
			case n < 6:
				first.Fault, first.At = faultDisconnect, int64(r.IntN(20))
			case n < 7:
				first.Fault, first.At = []string{faultCut, faultRestart, faultDisk, faultStorage}[r.IntN(4)], int64(r.IntN(40))
			}
			if r.IntN(100) < 25 {
				together := races[r.IntN(len(races))]
				first.Do, first.With = together[0], len(together)-1
				target := first.N[0]
				s.Steps = append(s.Steps, first)
				for _, do := range together[1:] {
					other := step(do)
					if r.IntN(3) > 0 {
						other.N[0] = target // the same person or bill
					}
					s.Steps = append(s.Steps, other)
				}
				continue
			}
			s.Steps = append(s.Steps, first)
		}
		s.Steps = append(s.Steps, step("night"))
	}
	return s
}

func readScript(path string) (s Script, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// String writes a step per line.
func (s Script) String() string {
	out := fmt.Sprintf("{\"seed\": %d, \"database\": %q, \"steps\": [\n", s.Seed, s.Database)
	for i, step := range s.Steps {
		text, _ := json.Marshal(step) // numbers and texts
		out += "  " + string(text)
		if i < len(s.Steps)-1 {
			out += ","
		}
		out += "\n"
	}
	return out + "]}\n"
}

// split returns the script's groups: steps that run at the same time.
func (s Script) split() (groups [][]Step) {
	for i := 0; i < len(s.Steps); {
		n := min(1+s.Steps[i].With, len(s.Steps)-i)
		groups = append(groups, s.Steps[i:i+n])
		i += n
	}
	return groups
}

func joinGroups(s Script, groups [][]Step) Script {
	s.Steps = nil
	for _, g := range groups {
		s.Steps = append(s.Steps, g...)
	}
	return s
}
