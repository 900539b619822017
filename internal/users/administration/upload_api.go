package administration

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/users"
)

// UserFileColumn is a column of a file of new users.
type UserFileColumn struct {
	Name string `json:"name" doc:"Its heading"`
	Hint string `json:"hint" doc:"What its cells are"`
}

// UserFileProblem is what is wrong with a row of a file.
type UserFileProblem struct {
	Column string `json:"column" doc:"Empty where it is all of the row"`
	Reason string `json:"reason"`
}

// UserFileRow is a row of a file of new users, and what comes of it.
type UserFileRow struct {
	Row           int               `json:"row" doc:"Line of the file; the headings are in line 1"`
	State         string            `json:"state" enum:"good,made,refused,left" doc:"left: not tried, or failed on our side"`
	UserFirstName string            `json:"userFirstName"`
	UserLastName  string            `json:"userLastName"`
	EmailAddr     string            `json:"emailAddr"`
	TypeDesc      string            `json:"typeDesc"`
	UserNm        string            `json:"userNm" doc:"Once the account is made"`
	GrpInfoID     *int64            `json:"grpInfoId" doc:"Once the account is made"`
	Problems      []UserFileProblem `json:"problems" nullable:"false"`
}

// UserFile is a file of new users, checked or taken.
type UserFile struct {
	Checked string        `json:"checked" doc:"Names the content of the file; sent along when it is confirmed"`
	Rows    []UserFileRow `json:"rows" nullable:"false"`
}

func userFile(s Sheet) UserFile {
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

// uploadLimit is how long a file may be checked or taken.
const uploadLimit = 5 * time.Minute

const uploadDocs = "A multipart form (multipart/form-data) with the file: comma-separated values in UTF-8, at most 500 users and 1 MB, with the columns of GET /work/users/file. " +
	"One answer for each row, by the rules of createUser. 400 for what is no such file, 413 for one that is too large."

// registerUpload adds the operations by which many users are added from a file.
func (s *Service) registerUpload(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userFileColumns", Method: http.MethodGet, Path: "/work/users/file", Summary: "The columns of a file of new users",
		Access: "users.many", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[UserFileColumn], error) {
		out := &httpapi.List[UserFileColumn]{Body: []UserFileColumn{}}
		for _, c := range UploadColumns(access.From(ctx).Acting().Type) {
			out.Body = append(out.Body, UserFileColumn{c.Name, c.Hint})
		}
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "checkUserFile", Method: http.MethodPost, Path: "/work/users/file/check", Summary: "Check a file of new users",
		Description: uploadDocs + " Nothing is stored and nobody is mailed.",
		Access:      "users.many", Effect: httpapi.Write, Expensive: true,
	}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body UserFile }, error) {
		_, file, err := receiveUpload(in)
		if err != nil {
			return nil, err
		}
		sheet, err := s.CheckUpload(ctx, access.From(ctx), file)
		return &struct{ Body UserFile }{userFile(sheet)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "takeUserFile", Method: http.MethodPost, Path: "/work/users/file", Summary: "Create the users of a file that was checked",
		Description: uploadDocs + " The form's field checked, before the file, is what the check answered: 409 for another file. What holds now counts; sent twice, nobody is created twice.",
		Access:      "users.many", Effect: httpapi.Write, Expensive: true,
	}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body UserFile }, error) {
		checked, file, err := receiveUpload(in)
		if err != nil {
			return nil, err
		}
		sheet, err := s.Upload(ctx, access.From(ctx), checked, file)
		return &struct{ Body UserFile }{userFile(sheet)}, err
	})
}

// receiveUpload takes the form: what was checked, and the file after it.
func receiveUpload(in *httpapi.Form) (checked string, file []byte, err error) {
	wanted := refuseFile("Choose a file.")
	parts, err := in.Parts()
	if err != nil {
		return "", nil, wanted
	}
	for range 2 {
		part, err := parts.NextPart()
		if err != nil {
			return "", nil, wanted
		}
		value, err := io.ReadAll(io.LimitReader(part, mostOfUpload+1))
		if err != nil {
			return "", nil, problem.Say(problem.Invalid, "The upload broke off. Nothing was stored: send it again.").Because(errors.New("the form was not read to its end"))
		}
		if part.FormName() == fieldFile {
			in.Drain(10 * mostOfUpload)
			in.Allow(uploadLimit)
			return checked, value, nil
		}
		checked = string(value)
	}
	return "", nil, wanted
}
