package health

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/platform/httpapi"
)

// SystemHealth is the status of a system that the program depends on.
type SystemHealth struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	What     string     `json:"what" doc:"Configuration"`
	State    State      `json:"state" enum:"WORKS,FAILS,UNKNOWN,ABSENT" doc:"UNKNOWN: not checked yet; ABSENT: not configured"`
	OKAt     *time.Time `json:"okAt,omitempty" doc:"Last success"`
	FailedAt *time.Time `json:"failedAt,omitempty" doc:"Last failure"`
	Failure  string     `json:"failure" doc:"Failure reason"`
}

// InstanceHealth is the status of a running instance.
type InstanceHealth struct {
	Version   string    `json:"version"`
	StartedAt time.Time `json:"startedAt"`
	SeenAt    time.Time `json:"seenAt"`
	Here      bool      `json:"here" doc:"This instance sent the response"`
}

// TableSize is the size of a table.
type TableSize struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows" doc:"Database estimate"`
	Bytes *int64 `json:"bytes,omitempty" doc:"Including indexes; missing if the database doesn't report it"`
}

// ClearedAway is a data retention rule.
type ClearedAway struct {
	What  string `json:"what"`
	After string `json:"after"`
}

// ProgramHealth is the status of the program.
type ProgramHealth struct {
	Version   string           `json:"version"`
	Engine    string           `json:"engine" enum:"sqlite,postgres"`
	AsOf      time.Time        `json:"asOf"`
	Answered  float64          `json:"answeredMs" doc:"Database write time, in milliseconds"`
	Systems   []SystemHealth   `json:"systems" nullable:"false"`
	Instances []InstanceHealth `json:"instances" nullable:"false" doc:"Instances seen in the last 30 seconds"`
	Bytes     int64            `json:"bytes" doc:"Database totals"`
	Tables    []TableSize      `json:"tables" nullable:"false" doc:"Largest tables"`
	Cleanups  []ClearedAway    `json:"cleanups" nullable:"false"`
}

func (s *Service) toProgramHealth(r Report) ProgramHealth {
	w := ProgramHealth{
		Version: r.Version, Engine: r.Engine, AsOf: s.now(), Answered: float64(r.Answered.Microseconds()) / 1000, Bytes: r.Bytes,
		Systems: make([]SystemHealth, len(r.Statuses)), Instances: make([]InstanceHealth, len(r.Instances)),
		Tables: make([]TableSize, len(r.Tables)), Cleanups: []ClearedAway{},
	}
	for i, st := range r.Statuses {
		w.Systems[i] = SystemHealth{st.Name, st.Title, st.What, st.State, st.OKAt.OrNone(), st.FailedAt.OrNone(), st.Failure}
	}
	for i, in := range r.Instances {
		w.Instances[i] = InstanceHealth{in.Version, in.StartedAt.Time, in.SeenAt.Time, in.ID == r.Here}
	}
	for i, t := range r.Tables {
		w.Tables[i] = TableSize{Name: t.Name, Rows: t.Rows}
		if t.Bytes >= 0 {
			w.Tables[i].Bytes = &r.Tables[i].Bytes
		}
	}
	for _, c := range r.Cleanups() {
		w.Cleanups = append(w.Cleanups, ClearedAway(c))
	}
	return w
}

// Register adds the status endpoint.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskHealth", Method: http.MethodGet, Path: "/desk/health", Summary: "Get the system status",
		Access: "health.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body ProgramHealth }, error) {
		r, err := s.Report(ctx)
		return &struct{ Body ProgramHealth }{s.toProgramHealth(r)}, err
	})
}
