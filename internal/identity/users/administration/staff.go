package administration

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// RoleChange is a new staff role, and the role that the actor saw.
type RoleChange struct {
	Seen, Role access.Role
}

// SetStaffRole changes the staff role of a read-only administrator. It returns Conflict for other
// accounts, and if the account has another role than the actor saw.
func (s *Service) SetStaffRole(ctx context.Context, a access.Actor, userName string, change RoleChange) error {
	if !slices.Contains(access.Roles, change.Role) {
		return validate.RefuseField(validate.MarkedFields, "role", "Select a role.")
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := users.FindByName(ctx, tx, userName)
		if err != nil {
			return err
		}
		grant, err := a.Reach().ManageUser(found.Person())
		if err != nil {
			return err
		}
		u, err := s.accounts.LockUser(ctx, tx, grant.ID())
		if err != nil {
			return err
		}
		if u.TypeCd != access.IRAD || !isConvertible(u) {
			return problem.WithMessage(problem.Conflict, "Only a registered Internal Read-Only Admin can have a staff role.")
		}
		if u.StaffRole != change.Seen {
			return problem.WithMessage(problem.Conflict, "Someone else changed this role. Check it, then try again.")
		}
		if err := a.RequireProof(); err != nil {
			return err
		}
		if err := s.accounts.SetStaffRole(ctx, tx, grant, change.Role); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "user-staff-role", Subject: u.UserName, Result: "ok",
			Detail: fmt.Sprintf("%s -> %s", cmp.Or(u.StaffRole, "none"), cmp.Or(change.Role, "none"))})
	})
}

// StaffMember is one of the network's staff.
type StaffMember struct {
	UserName string `json:"userName"`
	Name     string `json:"name"`
	TypeCd   string `json:"typeCd" enum:"IRAD,ISAD"`
	Role     string `json:"role" enum:",CASES,LEAD" doc:"Staff role of an IRAD. Empty: none"`
	Answers  bool   `json:"answers" doc:"Can answer questions of offices"`
}

func toStaffMember(u users.User) StaffMember {
	return StaffMember{u.UserName, u.FullName(), string(u.TypeCd), string(u.StaffRole), u.CanAnswer()}
}

func (s *Service) registerStaff(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "staff", Method: http.MethodGet, Path: "/desk/staff", Summary: "List the network's staff who can sign in, by name",
		Access: "cases.work", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[StaffMember], error) {
		list, err := s.accounts.ListStaff(ctx)
		return httpapi.NewList(list, toStaffMember), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "setStaffRole", Method: http.MethodPut, Path: "/desk/staff/{userName}", Summary: "Change a staff role",
		Description: "Applies from the person's next request. Without a role, their open questions become unassigned. Returns 409 if " +
			"someone else changed the role.",
		Access: "staff.roles", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		UserName string `path:"userName" maxLength:"50"`
		Body     struct {
			Role access.Role `json:"role" enum:",CASES,LEAD" doc:"Empty: none"`
			Seen access.Role `json:"seen" enum:",CASES,LEAD" doc:"Role that the user saw"`
		}
	}) (*struct{}, error) {
		return nil, s.SetStaffRole(ctx, access.From(ctx), in.UserName, RoleChange{in.Body.Seen, in.Body.Role})
	})
}
