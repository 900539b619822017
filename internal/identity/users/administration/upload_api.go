package administration

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// UserFileColumn is a column of a file with new users.
type UserFileColumn struct {
	Name string `json:"name" doc:"Column heading"`
	Hint string `json:"hint" doc:"Format"`
}

// UserFileProblem is an error in a row of a file.
type UserFileProblem struct {
	Column string `json:"column" doc:"Empty if it applies to the whole row"`
	Reason string `json:"reason"`
}

// UserFileRow is a row of a file with new users, and its result.
type UserFileRow struct {
	Row           int               `json:"row" doc:"Line of the file; the headings are line 1"`
	State         string            `json:"state" enum:"good,made,refused,left" doc:"left: not processed, or failed on our side"`
	UserFirstName string            `json:"userFirstName"`
	UserLastName  string            `json:"userLastName"`
	EmailAddr     string            `json:"emailAddr"`
	TypeDesc      string            `json:"typeDesc"`
	UserNm        string            `json:"userNm" doc:"Set when the account is created"`
	GrpInfoID     *int64            `json:"grpInfoId" doc:"Set when the account is created"`
	Problems      []UserFileProblem `json:"problems" nullable:"false"`
}

// UserFile is a file with new users, validated or imported.
type UserFile struct {
	Checked string        `json:"checked" doc:"Identifies the file's content; send it back to confirm"`
	Rows    []UserFileRow `json:"rows" nullable:"false"`
}

func toUserFile(s Sheet) UserFile {
	out := UserFile{s.Digest, make([]UserFileRow, len(s.Rows))}
	for i, r := range s.Rows {
		row := UserFileRow{
			Row: r.Line, State: string(r.State), UserFirstName: r.User.FirstName, UserLastName: r.User.LastName, EmailAddr: r.User.Email,
			TypeDesc: users.TypeName(r.User.TypeCd), UserNm: r.User.UserName, Problems: []UserFileProblem{},
		}
		if r.State == RowMade && r.User.GroupID != 0 {
			row.GrpInfoID = &r.User.GroupID
		}
		for _, p := range r.Problems {
			row.Problems = append(row.Problems, UserFileProblem(p))
		}
		out.Rows[i] = row
	}
	return out
}

// uploadLimit is the time limit for validating or importing a file.
const uploadLimit = 5 * time.Minute

const uploadDocs = "A multipart form (multipart/form-data) with a UTF-8 CSV file: up to 500 users and 1 MB, with the columns of GET " +
	"/work/users/file. " +
	"One result per row, with the same rules as createUser. Returns 400 if the file isn't valid, or 413 if it's too large."

// registerUpload adds the endpoints for adding users from a file.
func (s *Service) registerUpload(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userFileColumns", Method: http.MethodGet, Path: "/work/users/file", Summary: "List the columns of a new-user file",
		Access: "users.many", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[UserFileColumn], error) {
		out := &httpapi.List[UserFileColumn]{Body: []UserFileColumn{}}
		for _, c := range UploadColumns(access.From(ctx).Acting().Type) {
			out.Body = append(out.Body, UserFileColumn{c.Name, c.Hint})
		}
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "checkUserFile", Method: http.MethodPost, Path: "/work/users/file/check", Summary: "Validate a new-user file",
		Description: uploadDocs + " Doesn't store or email anything.",
		Access:      "users.many", Effect: httpapi.Write, Expensive: true, Limit: ratelimit.Hourly(emailChecks),
	}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body UserFile }, error) {
		_, file, err := receiveUpload(in)
		if err != nil {
			return nil, err
		}
		sheet, err := s.CheckUpload(ctx, access.From(ctx), file)
		return &struct{ Body UserFile }{toUserFile(sheet)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "takeUserFile", Method: http.MethodPost, Path: "/work/users/file", Summary: "Create users from a validated file",
		Description: uploadDocs +
			" Send the checked value from validation before the file; returns 409 for a different file. Rows are validated again. Safe " +
			"to repeat.",
		Access: "users.many", Effect: httpapi.Write, Expensive: true,
	}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body UserFile }, error) {
		checked, file, err := receiveUpload(in)
		if err != nil {
			return nil, err
		}
		sheet, err := s.Upload(ctx, access.From(ctx), checked, file)
		return &struct{ Body UserFile }{toUserFile(sheet)}, err
	})
}

// receiveUpload reads the validated digest and then the file from the form.
func receiveUpload(in *httpapi.Form) (checked string, file []byte, err error) {
	wanted := refuseFile("Select a file.")
	parts, err := in.Parts()
	if err != nil {
		return "", nil, wanted
	}
	for range 2 {
		part, err := parts.NextPart()
		if err != nil {
			return "", nil, wanted
		}
		value, err := io.ReadAll(io.LimitReader(part, maxUploadBytes+1))
		if err != nil {
			return "", nil, problem.WithMessage(problem.Invalid, "The upload was interrupted, so the file wasn't saved. Try again.").
				WithCause(errors.New("the form upload ended early"))
		}
		if part.FormName() == fieldFile {
			in.Drain(10 * maxUploadBytes)
			in.ExtendDeadline(uploadLimit)
			return checked, value, nil
		}
		checked = string(value)
	}
	return "", nil, wanted
}
