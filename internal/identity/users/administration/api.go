package administration

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// UserRow is a user in an administrator's list.
type UserRow struct {
	users.UserDetails
	CreatedDt          string         `json:"createdDt" format:"date-time"`
	LastLoginDt        string         `json:"lastLoginDt" doc:"Empty before the first sign-in"`
	UserActions        []string       `json:"userActions" nullable:"false" doc:"Actions that the caller can take for this user"`
	MgrUserInfoID      *int64         `json:"mgrUserInfoId" doc:"Administrator who created or terminated the account; null if none"`
	GroupInfo          *GroupInfo     `json:"groupInfo" doc:"For roster users"`
	GroupRosterSources []RosterSource `json:"groupRosterSources" nullable:"false" doc:"Sources of the roster group, or selected in a draft"`
	RemovedSourceIDs   []int64        `json:"removedSourceIds,omitempty" nullable:"false" doc:"Sources to remove when the draft completes"`
	UserFtins          []UserTIN      `json:"userFtins,omitempty" nullable:"false" doc:"For a draft provider user: TINs selected so far"`
	GroupAssignment    string         `json:"groupAssignment,omitempty" enum:"new,existing" doc:"For a draft"`
	HasSecondStep      bool           `json:"hasSecondStep,omitempty" doc:"Two-step verification is set up, and the caller can reset it"`
	DraftVersion       string         `json:"draftVersion,omitempty" doc:"For a draft: changes with each edit"`
}

// GroupInfo is the group of a roster user, with its sources.
type GroupInfo struct {
	GroupInfoID        *int64         `json:"groupInfoId,omitempty" nullable:"true"`
	GroupRosterSources []RosterSource `json:"groupRosterSources" required:"false" nullable:"false"`
}

func toRow(u Account, actions []string) UserRow {
	d := parseDraft(u.User)
	r := UserRow{
		UserDetails: users.ToDetails(u.User), CreatedDt: u.CreatedAt.RFC3339(), LastLoginDt: u.LastLoginAt.RFC3339(),
		UserActions: actions, GroupRosterSources: d.Sources, RemovedSourceIDs: d.Removed,
	}
	if u.ManagerID != 0 {
		r.MgrUserInfoID = &u.ManagerID
	}
	if u.StatusCd == users.Draft {
		r.GroupAssignment, r.DraftVersion = assignmentNew, computeVersion(u)
		if d.Existing {
			r.GroupAssignment = assignmentExisting
		}
		for _, ftin := range u.TINs {
			r.UserFtins = append(r.UserFtins, UserTIN{ftin})
		}
	}
	if users.GroupKind(u.TypeCd) == users.RosterGroup {
		r.GroupInfo = &GroupInfo{GroupInfoID: r.GrpInfoID, GroupRosterSources: r.GroupRosterSources}
	}
	return r
}

// Kinds of group assignment for an account.
const (
	assignmentNew      = "new"
	assignmentExisting = "existing"
)

// addSources adds the roster groups' sources to users. A draft has the sources selected for it.
func (s *Service) addSources(ctx context.Context, found []UserRow) error {
	ofGroup := func(r UserRow) bool {
		return r.GroupInfo != nil && r.GrpInfoID != nil && r.StatusCd != users.Draft
	}
	var groups []int64
	for _, r := range found {
		if ofGroup(r) && !slices.Contains(groups, *r.GrpInfoID) {
			groups = append(groups, *r.GrpInfoID)
		}
	}
	sources, err := s.sources.ListByGroup(ctx, groups)
	for i, r := range found {
		if ofGroup(r) {
			found[i].GroupRosterSources = append([]RosterSource{}, sources[*r.GrpInfoID]...)
			found[i].GroupInfo.GroupRosterSources = found[i].GroupRosterSources
		}
	}
	return err
}

type rows struct {
	// Limited is the number of results shown if there are more.
	Limited string    `header:"X-Limited-To" doc:"Number of results returned, if there are more"`
	Body    []UserRow `nullable:"false"`
}

func (s *Service) toRows(ctx context.Context, list []users.User, more bool, actions func(users.User) []string) (*rows, error) {
	out := &rows{}
	var err error
	out.Body, err = s.userRows(ctx, list, actions)
	if more {
		out.Limited = strconv.Itoa(len(list))
	}
	return out, err
}

func (s *Service) toPage(
	ctx context.Context, list []users.User, count int, actions func(users.User) []string,
) (*paging.Answer[UserRow], error) {
	found, err := s.userRows(ctx, list, actions)
	return paging.NewAnswer(found, count, func(r UserRow) UserRow { return r }), err
}

// userRows converts users, with the actions the caller has for each.
func (s *Service) userRows(ctx context.Context, list []users.User, actions func(users.User) []string) ([]UserRow, error) {
	accounts, err := s.loadAccounts(ctx, s.db.Reader, list...)
	if err != nil {
		return nil, err
	}
	found := make([]UserRow, len(accounts))
	var resettable []int64
	for i, u := range accounts {
		found[i] = toRow(u, actions(u.User))
		if slices.Contains(found[i].UserActions, actReset) {
			resettable = append(resettable, u.ID)
		}
	}
	holders, err := s.factors.ListHolders(ctx, resettable)
	for i := range found {
		found[i].HasSecondStep = slices.Contains(holders, found[i].ID)
	}
	return found, err
}

// Result is the response of terminating and converting: "success" or 1, or 600 for the last
// administrator.
type Result struct{ value any }

// MarshalJSON writes the plain value.
func (o Result) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

// Schema describes the value as a string or a number.
func (Result) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "string", Enum: []any{"success"}},
		{Type: "integer", Enum: []any{oneTerminated, noOtherAdmin}}}}
}

type result struct{ Body Result }

func toResult(done any, err error) (*result, error) {
	if errors.Is(err, ErrLastAdmin) {
		return &result{Result{noOtherAdmin}}, nil
	}
	return &result{Result{done}}, err
}

// UserTIN is a TIN for a user.
type UserTIN struct {
	FTIN string `json:"ftin" pattern:"^[0-9]{9}$" doc:"TIN, 9 digits"`
}

// UserPayload is a user to create, or a draft. Other fields from the screen are ignored.
type UserPayload struct {
	ID                     int64  `json:"id,omitempty" doc:"Draft to continue"`
	DraftVersion           string `json:"draftVersion,omitempty" maxLength:"64" doc:"Version of the draft to replace; omit for any"`
	IsSaveAsDraftOperation bool   `json:"isSaveAsDraftOperation,omitempty"`
	CompleteProfile        bool   `json:"completeProfile,omitempty" doc:"Opposite of the other flag"`
	Mode                   string `json:"mode,omitempty" maxLength:"40"`
	UserFirstName          string `json:"userFirstName" maxLength:"400"`
	UserLastName           string `json:"userLastName" maxLength:"400"`
	UserMidName            string `json:"userMidName,omitempty" maxLength:"400"`
	EmailAddr              string `json:"emailAddr" maxLength:"400"`
	PhoneNum               string `json:"phoneNum" maxLength:"40"`
	TypeCd                 string `json:"typeCd" maxLength:"10"`
	GrpInfoID              *int64 `json:"grpInfoId,omitempty" nullable:"true" doc:"Default: a new group, or the administrator's"`
	GroupAssignment        string `json:"groupAssignment,omitempty" enum:"new,existing" doc:"existing: don't create a group"`
	MgrUserInfoID          *int64 `json:"mgrUserInfoId,omitempty" nullable:"true" doc:"Must be the acting administrator"`
	StatusDesc             string `json:"statusDesc,omitempty" maxLength:"50" doc:"Username of the acting administrator; must match"`

	UserFtins   []UserTIN `json:"userFtins,omitempty" maxItems:"5000" nullable:"false"`
	SharedFtins []string  `json:"sharedFtins,omitempty" maxItems:"5000" nullable:"false" doc:"TINs in userFtins to share with other groups"`

	EmployeeID             *string        `json:"employeeId,omitempty" maxLength:"400" nullable:"true"`
	AffiliationCd          *string        `json:"affiliationCd,omitempty" maxLength:"20" nullable:"true"`
	AffiliationDesc        *string        `json:"affiliationDesc,omitempty" maxLength:"400" nullable:"true"`
	JobTitle               *string        `json:"jobTitle,omitempty" maxLength:"400" nullable:"true"`
	CompanyNm              *string        `json:"companyNm,omitempty" maxLength:"400" nullable:"true"`
	CompanyURL             *string        `json:"companyUrl,omitempty" maxLength:"400" nullable:"true"`
	GroupInfo              *GroupInfo     `json:"groupInfo,omitempty"`
	SelectedRosterSources  []RosterSource `json:"selectedRosterSources,omitempty" maxItems:"1000" nullable:"false"`
	RemovedSourceIDs       []int64        `json:"removedSourceIds,omitempty" maxItems:"1000" nullable:"false" doc:"Sources the group loses"`
	UserGroupRosterSources []RosterSource `json:"userGroupRosterSources,omitempty" maxItems:"1000" nullable:"false"`
	AccountRequestID       int64          `json:"accountRequestId,omitempty" doc:"Account request to close when the user is created"`
}

func (p UserPayload) user(a access.Actor) (NewUser, error) {
	if p.MgrUserInfoID != nil && *p.MgrUserInfoID != a.Person.ID {
		return NewUser{}, access.RefuseID(*p.MgrUserInfoID)
	}
	if err := a.CheckName(p.StatusDesc); err != nil {
		return NewUser{}, err
	}
	n := NewUser{
		User: users.User{
			ID: p.ID, FirstName: p.UserFirstName, MiddleName: p.UserMidName, LastName: p.UserLastName, Email: p.EmailAddr,
			Phone:  p.PhoneNum,
			TypeCd: access.Type(p.TypeCd), EmployeeID: orEmpty(p.EmployeeID), AffiliationCd: orEmpty(p.AffiliationCd),
			AffiliationDesc: orEmpty(p.AffiliationDesc), JobTitle: orEmpty(p.JobTitle), CompanyName: orEmpty(p.CompanyNm),
			CompanyURL: orEmpty(p.CompanyURL),
		},
		Version:   p.DraftVersion,
		Removed:   p.RemovedSourceIDs,
		Request:   p.AccountRequestID,
		WorkLater: p.AffiliationCd == nil && p.JobTitle == nil && p.CompanyNm == nil,
	}
	if p.GrpInfoID != nil {
		n.User.GroupID = *p.GrpInfoID
	}
	for _, t := range p.UserFtins {
		n.TINs = append(n.TINs, text.TIN(t.FTIN))
	}
	for _, ftin := range p.SharedFtins {
		n.SharedTINs = append(n.SharedTINs, text.TIN(ftin))
	}
	for _, list := range [][]RosterSource{p.SelectedRosterSources, p.UserGroupRosterSources} {
		if len(n.Sources) == 0 {
			n.Sources = list
		}
	}
	if p.GroupInfo != nil {
		if n.User.GroupID == 0 && p.GroupInfo.GroupInfoID != nil {
			n.User.GroupID = *p.GroupInfo.GroupInfoID
		}
		if len(n.Sources) == 0 {
			n.Sources = p.GroupInfo.GroupRosterSources
		}
	}
	// Without an explicit assignment, a group id means an existing group.
	n.Existing = p.GroupAssignment == assignmentExisting || p.GroupAssignment == "" && n.User.GroupID != 0
	return n, nil
}

// SearchPayload is the request body of User Search and the recipient search.
type SearchPayload struct {
	UserTypeCD   string `json:"userTypeCD,omitempty" maxLength:"10" doc:"Account type filter, or empty"`
	UserName     string `json:"userName,omitempty" maxLength:"4000" doc:"Part of a username, at least 3 characters; see isUserNames"`
	Name         string `json:"name,omitempty" maxLength:"120" doc:"First letters of the first or last name, then of more words of either"`
	EmailAddress string `json:"emailAddress,omitempty" maxLength:"120" doc:"Full address; a leading * matches any part of it"`
	FTIN         string `json:"ftin,omitempty" maxLength:"40" doc:"9 digits; spaces and hyphens are ignored"`
	GroupID      string `json:"groupId,omitempty" maxLength:"20"`
	UserIDs      string `json:"userIDs,omitempty" maxLength:"8000" doc:"Separated by commas"`
	Status       string `json:"status,omitempty" maxLength:"20" doc:"Status code"`
	IsUserNames  bool   `json:"isUserNames,omitempty" doc:"userName has full usernames, separated by commas; unknown ones are prefixes"`
}

func (p SearchPayload) search() (Search, error) {
	q := Search{Type: access.Type(p.UserTypeCD), UserName: p.UserName, Name: p.Name, Email: p.EmailAddress, FTIN: text.TIN(p.FTIN),
		Status: users.Status(strings.ToUpper(p.Status))}
	if p.IsUserNames {
		q.UserName = ""
		q.UserNames = splitList(p.UserName)
	}
	if id := strings.TrimSpace(p.GroupID); id != "" {
		var ok bool
		if q.GroupID, ok = parseID(id); !ok {
			return q, problem.WithMessage(problem.Invalid, "Error: Enter numeric only for Group ID field")
		}
	}
	for _, item := range splitList(p.UserIDs) {
		n, err := strconv.ParseInt(item, 10, 64)
		if err != nil {
			return q, problem.WithMessage(problem.Invalid, "User IDs must be numbers.")
		}
		q.IDs = append(q.IDs, n)
	}
	return q, refuseLongTIN(q.FTIN, "ftin")
}

// parseID parses a typed ID. 0 means no criterion elsewhere, so it becomes -1, which isn't used.
func parseID(typed string) (id int64, ok bool) {
	n, err := strconv.ParseUint(typed, 10, 63)
	if n == 0 {
		return -1, err == nil
	}
	return int64(n), err == nil
}

// refuseLongTIN rejects values with more digits than a TIN. A prefix of a TIN finds nothing.
func refuseLongTIN(ftin, field string) error {
	var wrong validate.Fields
	wrong.Limit(ftin, 9, field)
	return wrong.Refuse(validate.MarkedFields)
}

func splitList(list string) []string {
	var out []string
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// UserType is an account type that the actor can create.
type UserType struct {
	UserTypeCd   access.Type `json:"userTypeCd"`
	UserTypeDesc string      `json:"userTypeDesc"`
}

// AccessEntry is an entry in a user's access history.
type AccessEntry struct {
	At       string `json:"at" format:"date-time"`
	UserName string `json:"userName" doc:"User who did it; empty for the portal itself or someone not signed in"`
	Action   string `json:"action"`
	Result   string `json:"result"`
}

func toAccessEntry(e HistoryEntry) AccessEntry {
	return AccessEntry{At: e.At.RFC3339(), UserName: e.Actor, Action: e.Operation, Result: e.Result}
}

type createdUser struct{ Body UserRow }

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register}
}

// Register adds the endpoints for administrators.
func (s *Service) Register(api *httpapi.API) {
	s.registerLists(api)
	s.registerConversions(api)
	s.registerTermination(api)
	s.registerUnbinding(api)
	s.registerCreation(api)
	s.registerHistory(api)
	s.registerDrafts(api)
	s.registerGroups(api)
	s.registerGroupDesk(api)
	s.registerUpload(api)
	s.registerStaff(api)
}

// registerLists adds the endpoints that list users.
func (s *Service) registerLists(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "manageUsers", Method: http.MethodGet, Path: "/users/manageUsers/{groupId}/{userName}",
		Summary:     "List a group's users, by first name",
		Description: "Up to 1,000. X-Limited-To is set if there are more. Group 0 is empty.",
		Access:      "users.list", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID  string `path:"groupId" maxLength:"200" doc:"Group, or a hyphen for none"`
		UserName string `path:"userName" maxLength:"200" doc:"The acting user"`
	}) (*rows, error) {
		id, err := strconv.ParseInt(in.GroupID, 10, 64)
		if err != nil && in.GroupID != "-" {
			return nil, problem.New(problem.NotFound)
		}
		a := access.From(ctx)
		list, more, err := s.ListByGroup(ctx, a, id, in.UserName)
		if err != nil {
			return nil, err
		}
		return s.toRows(ctx, list, more, func(u users.User) []string { return managedActions(a, u) })
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "userList", Method: http.MethodPost, Path: "/admin/userList", Summary: "Search users",
		Description: "By one criterion and the account type. Up to 1,000; X-Limited-To is set if there are more.",
		Access:      "users.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body SearchPayload }) (*rows, error) {
		q, err := in.Body.search()
		if err != nil {
			return nil, err
		}
		a := access.From(ctx)
		list, more, err := s.Find(ctx, q)
		if err != nil {
			return nil, err
		}
		found, err := s.toRows(ctx, list, more, func(u users.User) []string { return searchActions(a, u) })
		if err != nil {
			return nil, err
		}
		return found, s.addSources(ctx, found.Body)
	})
	s.registerPages(api)
}

// registerPages adds the endpoints that return the same lists in pages.
func (s *Service) registerPages(api *httpapi.API) {
	const columns = "Columns: firstName, lastName, userName, email, status, type, group, created, lastLogin."
	httpapi.Register(api, httpapi.Operation{
		ID: "manageUsersPage", Method: http.MethodPost, Path: "/users/manageUsers/page", Summary: "Get a page of a group's users",
		Description: "Sorted by first name by default. " + columns,
		Access:      "users.list", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			GroupID int64        `json:"groupId" minimum:"1"`
			Table   paging.Table `json:"table"`
		}
	}) (*paging.Answer[UserRow], error) {
		a := access.From(ctx)
		list, count, err := s.GroupPage(ctx, a, in.Body.GroupID, in.Body.Table)
		if err != nil {
			return nil, err
		}
		return s.toPage(ctx, list, count, func(u users.User) []string { return managedActions(a, u) })
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "userListPage", Method: http.MethodPost, Path: "/admin/userList/page", Summary: "Get a page of users that match a search",
		Description: "By one criterion and the account type. Sorted by username by default. " + columns,
		Access:      "users.search", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *struct {
		Body struct {
			SearchPayload
			Table paging.Table `json:"table"`
		}
	}) (*paging.Answer[UserRow], error) {
		q, err := in.Body.search()
		if err != nil {
			return nil, err
		}
		a := access.From(ctx)
		list, count, err := s.FindPage(ctx, q, in.Body.Table)
		if err != nil {
			return nil, err
		}
		found, err := s.toPage(ctx, list, count, func(u users.User) []string { return searchActions(a, u) })
		if err != nil {
			return nil, err
		}
		return found, s.addSources(ctx, found.Body.Rows)
	})
}

// registerConversions adds the endpoints that convert between administrators and users.
func (s *Service) registerConversions(api *httpapi.API) {
	type convert struct {
		Requester string `path:"requester" maxLength:"200" doc:"Must be the acting administrator"`
		UserName  string `path:"userName" maxLength:"200" doc:"User ID"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "convertUserToAdmin", Method: http.MethodPost, Path: "/users/convertUserToAdmin/{requester}/{userName}",
		Summary: "Convert a provider user to a provider administrator",
		Access:  "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *convert) (*result, error) {
		return toResult("success", s.ConvertToAdmin(ctx, access.From(ctx), in.Requester, in.UserName))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "convertAdminToUser", Method: http.MethodPost, Path: "/users/convertAdminToUser/{requester}/{userName}",
		Summary:     "Convert a provider administrator to a provider user",
		Description: "The last administrator of a group stays: 200 with the body 600.",
		Access:      "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *convert) (*result, error) {
		return toResult("success", s.ConvertToUser(ctx, access.From(ctx), in.Requester, in.UserName))
	})
}

// registerTermination adds the endpoints that terminate accounts.
func (s *Service) registerTermination(api *httpapi.API) {
	type terminated struct {
		UserNm        string `json:"userNm,omitempty" maxLength:"50"`
		MgrUserInfoID *int64 `json:"mgrUserInfoId,omitempty" nullable:"true" doc:"Must be the acting administrator"`
	}
	end := func(ctx context.Context, requester, name string, body terminated) (*result, error) {
		a := access.From(ctx)
		if body.MgrUserInfoID != nil && *body.MgrUserInfoID != a.Person.ID {
			return nil, access.RefuseID(*body.MgrUserInfoID)
		}
		if name != body.UserNm && body.UserNm != "" {
			return nil, access.RefuseName(body.UserNm)
		}
		return toResult(oneTerminated, s.Terminate(ctx, a, requester, name))
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "terminateUser", Method: http.MethodPut, Path: "/users/terminateUser/{requester}/{userName}", Summary: "Terminate an account",
		Description: "The last administrator of a group stays: 200 with the body 600.",
		Access:      "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Requester string `path:"requester" maxLength:"200" doc:"Must be the acting administrator"`
		UserName  string `path:"userName" maxLength:"200" doc:"User ID"`
		Body      terminated
	}) (*result, error) {
		return end(ctx, in.Requester, in.UserName, in.Body)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "terminate", Method: http.MethodPut, Path: "/users/terminate", Summary: "Terminate an account, with the user in the body",
		Access: "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body terminated }) (*result, error) {
		return end(ctx, "", in.Body.UserNm, in.Body)
	})
}

// registerUnbinding adds the endpoint that removes an account's SSO identity.
func (s *Service) registerUnbinding(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "unbindUser", Method: http.MethodDelete, Path: "/users/binding/{userName}", Summary: "Unlink an account from its SSO user",
		Description: "Ends the account's sessions. The next sign-in links a new SSO user.",
		Access:      "users.unbind", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		UserName string `path:"userName" maxLength:"200" doc:"User ID"`
	}) (*result, error) {
		return toResult("success", s.Unbind(ctx, access.From(ctx), in.UserName))
	})
}

// emailChecks is how many addresses a person can check per hour, and how many files with new users.
const emailChecks = 60

// registerCreation adds the endpoints that create users.
func (s *Service) registerCreation(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userTypes", Method: http.MethodPut, Path: "/users/getUserTypes", Summary: "List account types that the caller can create",
		Access: "users.types", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[UserType], error) {
		out := &httpapi.List[UserType]{Body: []UserType{}}
		for _, t := range TypesFor(access.From(ctx).Acting().Type) {
			out.Body = append(out.Body, UserType{t, users.TypeName(t)})
		}
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "emailExists", Method: http.MethodPost, Path: "/users/checkEmailAddressExists/{email}",
		Summary: "Check whether an email address is in use",
		Access:  "users.manage", Effect: httpapi.Read, Limit: ratelimit.Hourly(emailChecks),
	}, func(ctx context.Context, in *struct {
		Email string `path:"email" maxLength:"400"`
	}) (*struct{ Body bool }, error) {
		exists, err := s.EmailExists(ctx, in.Email)
		return &struct{ Body bool }{exists}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "createUser", Method: http.MethodPut, Path: "/users/createUser", Summary: "Create a user and email the registration link",
		Description: "TINs of other groups return TIN_SHARED, unless they're in sharedFtins.",
		Access:      "users.manage", Effect: httpapi.Write, MaxBytes: 1 << 20,
	}, func(ctx context.Context, in *struct{ Body UserPayload }) (*createdUser, error) {
		return s.newCreated(ctx, in.Body, s.Create)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveDraftUser", Method: http.MethodPut, Path: "/users/saveDraftUser", Summary: "Save or complete a draft user",
		Description: "With isSaveAsDraftOperation, saves the draft. Otherwise creates the user, as createUser does. Returns 409 if the " +
			"draft is gone or has a different version.",
		Access: "users.draft", Effect: httpapi.Write, MaxBytes: 1 << 20,
	}, func(ctx context.Context, in *struct{ Body UserPayload }) (*createdUser, error) {
		if in.Body.IsSaveAsDraftOperation {
			return s.newCreated(ctx, in.Body, s.SaveDraft)
		}
		return s.newCreated(ctx, in.Body, s.Create)
	})
}

// registerHistory adds the endpoint for the access history.
func (s *Service) registerHistory(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "accessHistory", Method: http.MethodGet, Path: "/users/accessHistory/{userName}",
		Summary:     "List changes and mirroring of an account, newest first",
		Description: "Up to 200 entries.",
		Access:      "users.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		UserName string `path:"userName" maxLength:"200"`
	}) (*httpapi.List[AccessEntry], error) {
		list, err := s.History(ctx, access.From(ctx), in.UserName)
		return httpapi.NewList(list, toAccessEntry), err
	})
}

func (s *Service) newCreated(
	ctx context.Context, p UserPayload, do func(context.Context, access.Actor, NewUser) (Account, error),
) (*createdUser, error) {
	a := access.From(ctx)
	n, err := p.user(a)
	if err != nil {
		return nil, err
	}
	u, err := do(ctx, a, n)
	if err != nil {
		return nil, users.WireNames.Wire(err)
	}
	return &createdUser{toRow(u, managedActions(a, u.User))}, nil
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
