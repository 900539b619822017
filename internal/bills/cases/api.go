package cases

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spool"
)

// QuestionText is a new question.
type QuestionText struct {
	RequestKey string   `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
	Topic      string   `json:"topic" doc:"PRICE, STATUS, PAYMENT, DENIAL, DIRECTORY, ACCOUNT or OTHER"`
	Body       string   `json:"body" doc:"Up to 4,000 characters"`
	Bills      []string `json:"bills,omitempty" doc:"Page IDs of up to 50 bills of one TIN"`
	FTIN       string   `json:"ftin,omitempty" maxLength:"9" doc:"TIN of a question without bills. Without a TIN, few people see it"`
	Files      []int64  `json:"files,omitempty" doc:"IDs of up to 10 uploaded files"`
	Remittance string   `json:"remittance,omitempty" doc:"Page ID of a remittance, instead of bills"`

	Complaint *ComplaintText `json:"complaint,omitempty" doc:"Makes it a complaint. Its topic doesn't matter"`
}

// CaseText is an entry to add to a question.
type CaseText struct {
	RequestKey string  `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
	Body       string  `json:"body" doc:"Up to 4,000 characters"`
	Files      []int64 `json:"files,omitempty" doc:"IDs of up to 10 uploaded files"`
	Version    int64   `json:"version" doc:"Version that the user saw"`
	Outcome    string  `json:"outcome,omitempty" enum:"UPHELD,PARTLY,NOT_UPHELD,NONE" doc:"Required for the answer to a complaint"`
}

// CaseReply is a reply of the office. It has no version, because every reply counts.
type CaseReply struct {
	RequestKey string  `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
	Body       string  `json:"body" doc:"Up to 4,000 characters"`
	Files      []int64 `json:"files,omitempty" doc:"IDs of up to 10 uploaded files"`
}

// CaseVersion names the version that the user saw.
type CaseVersion struct {
	Version int64 `json:"version"`
}

// CaseSummary is a question in a list.
type CaseSummary struct {
	Number     string     `json:"number" example:"C-4K7Q-29MX"`
	Kind       string     `json:"kind" enum:"QUESTION,CALL,COMPLAINT"`
	Topic      string     `json:"topic" enum:"PRICE,STATUS,PAYMENT,DENIAL,DIRECTORY,ACCOUNT,OTHER"`
	State      string     `json:"state" enum:"OPEN,WAITING,ANSWERED,CLOSED,WITHDRAWN,MERGED"`
	FTIN       string     `json:"ftin" doc:"Empty without a TIN"`
	OpenedAt   time.Time  `json:"openedAt"`
	DueAt      *time.Time `json:"dueAt" doc:"Promised time of the answer, while the network owes it"`
	AnsweredAt *time.Time `json:"answeredAt"`
	ClosedAt   *time.Time `json:"closedAt"`
	Helpful    string     `json:"helpful" doc:"YES if the office confirmed an answer, NO if it replied to one"`
	Unread     bool       `json:"unread" doc:"The network wrote something that the user hasn't read"`
	Bills      []CaseBill `json:"bills" nullable:"false"`
	Version    int64      `json:"version"`
	Office     string     `json:"office" doc:"Name or number of the group. Empty for the office itself, and if there is none"`
	Owner      string     `json:"owner" doc:"Name of the staff member who has taken it. Empty in an office's list"`
	LegalDue   date.Date  `json:"legalDue" format:"date" nullable:"true" doc:"Day by which law requires a letter about a complaint"`
}

// CaseBill is a bill or a remittance that a question is about.
type CaseBill struct {
	ID     string `json:"id" doc:"Page ID"`
	Number string `json:"number" doc:"As it was when the office asked"`
}

// CaseEntry is an entry of a question's thread.
type CaseEntry struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	Author string    `json:"author" doc:"Name. Empty for the system and former users"`
	Side   string    `json:"side" enum:"OFFICE,NETWORK,SYSTEM"`
	Kind   string    `json:"kind" enum:"MESSAGE,ANSWER,ASK,WITHDRAWN,CLOSED,NOTE,CALL,MERGE,LETTER"`
	Body   string    `json:"body" doc:"Text. A merge starts with the number of the other question"`
	// RequestKey lets the browser find out that a text was stored although the response was lost.
	RequestKey string `json:"requestKey,omitempty" doc:"Key of the request, if the user wrote the entry"`
}

// CaseFile is a file of an entry, or one that was uploaded for an entry to come.
type CaseFile struct {
	ID        int64  `json:"id"`
	EntryID   int64  `json:"entryId" doc:"0: for an entry to come"`
	Name      string `json:"name"`
	MediaType string `json:"mediaType" example:"application/pdf"`
	Size      int64  `json:"size" doc:"Bytes"`
}

// toFile converts a file for the response.
func toFile(f File) CaseFile { return CaseFile{f.ID, f.EntryID, f.Name, f.MediaType, f.Size} }

// CaseThread is a question with its thread.
type CaseThread struct {
	CaseSummary
	AnswerID int64       `json:"answerId" doc:"Entry that answers it. 0: none"`
	OpenedBy string      `json:"openedBy" doc:"Name"`
	Mine     bool        `json:"mine" doc:"The user has taken it"`
	Entries  []CaseEntry `json:"entries" nullable:"false" doc:"Oldest first"`
	Files    []CaseFile  `json:"files" nullable:"false"`
	Contacts int         `json:"contacts" doc:"How often the office contacted the network about the first bill"`
	Into     string      `json:"mergedInto" doc:"Number of the question that it was merged into"`
	// Payment is the remittance that it's about.
	Payment CaseBill `json:"remittance" doc:"Remittance that it's about, or empty"`

	Complaint *CaseComplaint `json:"complaint,omitempty" doc:"Absent for a question"`
}

// CaseList is a part of a list.
type CaseList struct {
	Cases []CaseSummary `json:"cases" nullable:"false"`
	Next  string        `json:"next" doc:"Position of the next part. Empty for the last one"`
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (s *Service) toSummary(l Listed) (CaseSummary, error) {
	c := l.Case
	out := CaseSummary{Number: c.Number, Kind: string(c.Kind), Topic: c.Topic, State: string(c.State), FTIN: c.FTIN,
		OpenedAt: c.OpenedAt.Time, LegalDue: c.LegalDue,
		DueAt: optional(c.DueAt.Time), AnsweredAt: optional(c.AnsweredAt.Time), ClosedAt: optional(c.ClosedAt.Time), Helpful: c.Helpful,
		Unread: l.Unread, Bills: []CaseBill{}, Version: c.Version}
	for _, b := range l.Bills {
		page, err := s.pages.PageID(b.FTIN, b.Bill)
		if err != nil {
			return out, err
		}
		out.Bills = append(out.Bills, CaseBill{page, b.Number})
	}
	return out, nil
}

// toThread adds the names of the people in it.
func (s *Service) toThread(ctx context.Context, t Thread) (CaseThread, error) {
	summary, err := s.toSummary(t.Listed)
	if err != nil {
		return CaseThread{}, err
	}
	names := map[int64]string{0: ""}
	name := func(id int64) string {
		if _, known := names[id]; !known && err == nil {
			names[id], err = s.users.GetName(ctx, id)
		}
		return names[id]
	}
	out := CaseThread{CaseSummary: summary, AnswerID: t.AnswerID, Entries: []CaseEntry{},
		Files: []CaseFile{}, Contacts: t.Contacts, Into: t.MergedInto, Complaint: toComplaint(t)}
	if out.Payment.ID, err = s.pages.LinkRemittance(t.FTIN, t.Remittance); err != nil {
		return out, err
	}
	out.Payment.Number = t.TraceNumber
	a := access.From(ctx)
	if a.Acting().GroupID != t.Group {
		offices, err := nameOffices(ctx, s.users, []int64{t.Group})
		if err != nil {
			return out, err
		}
		out.Office = offices[t.Group]
	}
	out.OpenedBy, out.Owner, out.Mine = name(t.OpenedBy), name(t.Owner), t.Owner != 0 && t.Owner == a.Person.ID
	for _, f := range t.Files {
		out.Files = append(out.Files, toFile(f))
	}
	for _, e := range t.Entries {
		entry := CaseEntry{ID: e.ID, At: e.At.Time, Author: name(e.Author), Side: string(e.Side), Kind: string(e.Kind), Body: e.Body}
		if e.Author == a.Acting().ID {
			entry.RequestKey = e.RequestKey
		}
		out.Entries = append(out.Entries, entry)
	}
	return out, err
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	meters := []prometheus.Collector{s, s.deflected, s.meters.answers, s.meters.helpful}
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Metrics: meters, Retention: []retention.Item{
		retention.Forever("Questions to the network, with their bills and messages", "cases", "case_bills", "case_entries", "case_reads"),
		retention.Forever("Files of questions. Files that weren't sent: 24 hours", "case_files").In(fileFolder).If(s.knownFiles),
		retention.Forever("Letters about complaints", "case_letters").In(letterFolder).If(s.listKnownLetters),
		retention.Until("90 days", "Emails about questions", "case_emails"),
		retention.Forever("Saved replies", "case_replies"),
		retention.Until("1 day", "Who was writing to a question", "case_writing"),
	}}
}

type threadBody struct{ Body CaseThread }

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerOffice(api)
	s.registerDesk(api)
	s.registerComplaints(api)
	s.registerAssign(api)
	s.registerSavedReplies(api)
	s.registerWriting(api)
	s.registerVersion(api)
	s.registerTimes(api)
}

const (
	officeReads  = 300 // an hour
	officeWrites = 60
	deskReads    = 600
	fileWrites   = 200
)

func (s *Service) threadOf(ctx context.Context, t Thread, err error) (*threadBody, error) {
	if err != nil {
		return nil, err
	}
	out, err := s.toThread(ctx, t)
	return &threadBody{out}, err
}

func (s *Service) registerOffice(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "cases", Method: http.MethodPost, Path: "/work/cases/page", Summary: "List questions to the network",
		Description: "Newest first: your group's questions about your TINs, and your own.",
		Access:      "cases.own", Effect: httpapi.Read, Limit: ratelimit.Hourly(officeReads),
	}, func(ctx context.Context, in *struct {
		Body struct {
			Tab   string `json:"tab" enum:"reply,open,answered,all"`
			Mine  bool   `json:"mine,omitempty" doc:"Only your own"`
			After string `json:"after,omitempty" maxLength:"20" doc:"The next value of the previous part"`
		}
	}) (*struct{ Body CaseList }, error) {
		list, more, err := s.ListOwn(ctx, access.From(ctx), Tab(in.Body.Tab), in.Body.Mine, in.Body.After)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body CaseList }{CaseList{Cases: []CaseSummary{}}}
		for _, l := range list {
			c, err := s.toSummary(l)
			if err != nil {
				return nil, err
			}
			out.Body.Cases = append(out.Body.Cases, c)
		}
		if more {
			out.Body.Next = list[len(list)-1].Number
		}
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "askNetwork", Method: http.MethodPost, Path: "/work/cases", Summary: "Ask the network a question",
		Access: "cases.own", Effect: httpapi.Write, MaxBytes: 64 << 10, Limit: ratelimit.Hourly(officeWrites),
	}, func(ctx context.Context, in *struct{ Body QuestionText }) (*threadBody, error) {
		q := in.Body
		asked := Question{RequestKey: q.RequestKey, Topic: q.Topic, Body: q.Body, Pages: q.Bills, FTIN: q.FTIN, Files: q.Files,
			Remittance: q.Remittance}
		if q.Complaint != nil {
			details := q.Complaint.details()
			asked.Complaint = &details
		}
		c, err := s.Submit(ctx, access.From(ctx), asked)
		return s.own(ctx, c, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "questionAnswered", Method: http.MethodPost, Path: "/work/cases/known", Summary: "Count that a bill's page answered a question",
		Access: "cases.own", Effect: httpapi.Write, Limit: ratelimit.Hourly(officeWrites),
	}, func(context.Context, *struct{}) (*struct{}, error) {
		s.deflected.Inc()
		return nil, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "readCase", Method: http.MethodGet, Path: "/work/cases/{number}", Summary: "Read a question and its answers",
		Access: "cases.own", Effect: httpapi.Read, Limit: ratelimit.Hourly(officeReads),
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
	}) (*threadBody, error) {
		t, err := s.ReadOwn(ctx, access.From(ctx), in.Number)
		return s.threadOf(ctx, t, err)
	})
	s.registerReplies(api)
}

func (s *Service) registerReplies(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "replyToCase", Method: http.MethodPost, Path: "/work/cases/{number}/reply", Summary: "Reply to the network",
		Description: "Reopens a question that was answered up to 14 days ago.",
		Access:      "cases.own", Effect: httpapi.Write, MaxBytes: 64 << 10, Limit: ratelimit.Hourly(officeWrites),
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   CaseReply
	}) (*threadBody, error) {
		w := Written{RequestKey: in.Body.RequestKey, Body: in.Body.Body, Files: in.Body.Files}
		c, err := s.Reply(ctx, access.From(ctx), in.Number, w)
		return s.own(ctx, c, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "caseHelped", Method: http.MethodPost, Path: "/work/cases/{number}/helpful", Summary: "Confirm that an answer helped",
		Description: "Closes the question. Returns 409 if it has changed since.",
		Access:      "cases.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   CaseVersion
	}) (*threadBody, error) {
		c, err := s.Helped(ctx, access.From(ctx), Seen{in.Number, in.Body.Version})
		return s.own(ctx, c, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "withdrawCase", Method: http.MethodPost, Path: "/work/cases/{number}/withdraw", Summary: "Withdraw a question",
		Description: "Returns 409 if it's answered or has changed since.",
		Access:      "cases.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   CaseVersion
	}) (*threadBody, error) {
		c, err := s.Withdraw(ctx, access.From(ctx), Seen{in.Number, in.Body.Version})
		return s.own(ctx, c, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "casesOfBill", Method: http.MethodGet, Path: "/work/bills/{id}/cases", Summary: "List your group's open questions about a bill",
		Description: "Newest first. Without bills and read marks.",
		Access:      "cases.own", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*httpapi.List[CaseSummary], error) {
		list, err := s.FindAbout(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, func(c Case) CaseSummary {
			out, _ := s.toSummary(Listed{Case: c}) // fails only for bills
			return out
		}), err
	})
}

// own returns a case after the office changed it.
func (s *Service) own(ctx context.Context, c Case, err error) (*threadBody, error) {
	return s.changed(ctx, c, Office, err)
}

// changed returns a case after a side changed it.
func (s *Service) changed(ctx context.Context, c Case, by Side, err error) (*threadBody, error) {
	if err != nil {
		return nil, err
	}
	t, err := s.thread(ctx, s.db.Writer, c.Number, by, "")
	return s.threadOf(ctx, t, err)
}

func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskCases", Method: http.MethodGet, Path: "/desk/cases", Summary: "List questions and complaints by their earliest clock",
		Access: "cases.desk", Effect: httpapi.Read, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		Queue string `query:"queue" required:"true" enum:"mine,unassigned,overdue,waiting,legal,all"`
	}) (*struct{ Body CaseList }, error) {
		const limit = 200
		list, err := s.ListQueue(ctx, access.From(ctx), Queue(in.Queue), limit)
		if err != nil {
			return nil, err
		}
		summaries, err := s.toDeskSummaries(ctx, list)
		return &struct{ Body CaseList }{CaseList{Cases: summaries}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskCase", Method: http.MethodGet, Path: "/desk/cases/{number}", Summary: "Open a question of an office",
		Description: "The office sees it in its audit log.",
		Access:      "cases.desk", Effect: httpapi.Read, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
	}) (*threadBody, error) {
		t, err := s.OpenAtDesk(ctx, in.Number)
		return s.threadOf(ctx, t, err)
	})
	s.registerWork(api)
	s.registerFiles(api)
}

// registerWork adds what staff do with questions.
func (s *Service) registerWork(api *httpapi.API) {
	const work, staleText = "cases.work", "Returns 409 if the question has changed since."
	for _, o := range []struct {
		id, path, summary string
		write             func(ctx context.Context, a access.Actor, seen Seen, w Written) (Case, error)
	}{
		{"answerCase", "answer", "Answer a question", s.AnswerCase},
		{"askOffice", "ask", "Ask the office for something", s.AskOffice},
		{"noteCase", "note", "Add a note that only staff see", s.AddNote},
	} {
		httpapi.Register(api, httpapi.Operation{
			ID: o.id, Method: http.MethodPost, Path: "/desk/cases/{number}/" + o.path, Summary: o.summary, Description: staleText,
			Access: work, Effect: httpapi.Write, MaxBytes: 64 << 10,
		}, func(ctx context.Context, in *struct {
			Number string `path:"number" maxLength:"20"`
			Body   CaseText
		}) (*threadBody, error) {
			w := Written{in.Body.RequestKey, in.Body.Body, in.Body.Files, Outcome(in.Body.Outcome)}
			c, err := o.write(ctx, access.From(ctx), Seen{in.Number, in.Body.Version}, w)
			return s.changed(ctx, c, Network, err)
		})
	}
	for _, o := range []struct {
		id, path, summary string
		change            func(ctx context.Context, a access.Actor, seen Seen) (Case, error)
	}{
		{"takeCase", "take", "Take a question", s.Take},
		{"releaseCase", "release", "Give a question back to the queue", s.Release},
	} {
		httpapi.Register(api, httpapi.Operation{
			ID: o.id, Method: http.MethodPost, Path: "/desk/cases/{number}/" + o.path, Summary: o.summary, Description: staleText,
			Access: work, Effect: httpapi.Write,
		}, func(ctx context.Context, in *struct {
			Number string `path:"number" maxLength:"20"`
			Body   CaseVersion
		}) (*threadBody, error) {
			c, err := o.change(ctx, access.From(ctx), Seen{in.Number, in.Body.Version})
			return s.changed(ctx, c, Network, err)
		})
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "mergeCase", Method: http.MethodPost, Path: "/desk/cases/{number}/merge", Summary: "Merge a question into another one",
		Description: "Both are open questions of the same office and TIN. " + staleText,
		Access:      work, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   struct {
			Into    string `json:"into" maxLength:"20" doc:"Number of the other question"`
			Version int64  `json:"version"`
		}
	}) (*threadBody, error) {
		c, err := s.Merge(ctx, access.From(ctx), Seen{in.Number, in.Body.Version}, in.Body.Into)
		return s.changed(ctx, c, Network, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openCallAsQuestion", Method: http.MethodPost, Path: "/desk/cases/{number}/open", Summary: "Open a question from a logged call",
		Description: staleText, Access: work, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   struct {
			Version       int64 `json:"version" doc:"Version that the user saw"`
			CallbackHours int   `json:"callbackHours,omitempty" doc:"Business hours within which staff promise to call back, up to 36"`
		}
	}) (*threadBody, error) {
		c, err := s.OpenQuestion(ctx, access.From(ctx), Seen{in.Number, in.Body.Version}, in.Body.CallbackHours)
		return s.changed(ctx, c, Network, err)
	})
	s.registerCalls(api)
}

func (s *Service) registerCalls(api *httpapi.API) {
	type logged struct {
		Body struct {
			Number  string  `json:"number" doc:"Of the call or its open question. Empty until you select the office"`
			Entry   int64   `json:"entry" doc:"ID of the call, to undo it"`
			Offices []int64 `json:"offices" nullable:"false" doc:"Group IDs. Select the office that called"`
		}
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "logCall", Method: http.MethodPost, Path: "/desk/calls", Summary: "Log an office's call about bills",
		Description: "In a support session because of a call. If several offices have the TIN, the first request only lists them.",
		Access:      "cases.work", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			RequestKey string   `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
			Bills      []string `json:"bills" doc:"Page IDs of up to 50 bills of one TIN"`
			Office     int64    `json:"office,omitempty" doc:"Group ID of the office that called"`
		}
	}) (*logged, error) {
		l, err := s.LogCall(ctx, access.From(ctx), Call{in.Body.RequestKey, in.Body.Bills, in.Body.Office})
		if err != nil {
			return nil, err
		}
		out := &logged{}
		out.Body.Number, out.Body.Entry, out.Body.Offices = l.Case.Number, l.Entry, append([]int64{}, l.Offices...)
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "undoCall", Method: http.MethodDelete, Path: "/desk/calls/{number}", Summary: "Undo a call that you just logged",
		Access: "cases.work", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Entry  int64  `query:"entry" required:"true" doc:"ID of the call"`
	}) (*struct{}, error) {
		return nil, s.UndoCall(ctx, access.From(ctx), in.Number, in.Entry)
	})
}

// registerFiles adds uploads and downloads for both sides.
func (s *Service) registerFiles(api *httpapi.API) {
	for _, o := range []struct {
		id, path, access string
		mayRead          string
		open             func(ctx context.Context, a access.Actor, number string, id int64) (File, *blob.File, error)
	}{
		{"caseFile", "/work/cases", "cases.own", "cases.own", s.OpenOwnFile},
		{"deskCaseFile", "/desk/cases", "cases.work", "cases.desk", s.OpenDeskFile},
	} {
		httpapi.Register(api, httpapi.Operation{
			ID: o.id + "Add", Method: http.MethodPost, Path: o.path + "/files", Summary: "Upload a file for a message",
			Description: "Form with one PDF, TIFF, JPEG or PNG of up to 25 MB. It's deleted after 24 hours unless a message includes it.",
			Access:      o.access, Effect: httpapi.Write, MaxBytes: spool.Documents.Bytes + 64<<10, Limit: ratelimit.Hourly(fileWrites),
		}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body CaseFile }, error) {
			f, err := s.AddFile(ctx, access.From(ctx), in)
			return &struct{ Body CaseFile }{toFile(f)}, err
		})
		httpapi.Register(api, httpapi.Operation{
			ID: o.id, Method: http.MethodGet, Path: o.path + "/{number}/files/{id}", Summary: "Download a file of a question",
			Access: o.mayRead, Effect: httpapi.Read, Cookie: true, Limit: ratelimit.Hourly(officeReads),
		}, func(ctx context.Context, in *struct {
			Number string `path:"number" maxLength:"20"`
			ID     int64  `path:"id"`
		}) (*huma.StreamResponse, error) {
			f, content, err := o.open(ctx, access.From(ctx), in.Number, in.ID)
			if err != nil {
				return nil, err
			}
			return httpapi.Attachment{Name: f.Name, ContentType: f.MediaType, Size: f.Size}.SendAll(content), nil
		})
	}
}
