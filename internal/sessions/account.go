package sessions

import (
	"context"

	"wcpp/internal/identity/users"
)

// FeeSchedules lists the fee schedule files created for a user.
type FeeSchedules interface {
	// ListFiles returns the number of files and the newest ones.
	ListFiles(ctx context.Context, userID int64) (count int, newest []FeeScheduleRequest, err error)
}

// loadAccount returns an account as the session shows it.
func (s *Service) loadAccount(ctx context.Context, id int64) (Account, error) {
	u, err := s.users.ByID(ctx, id)
	if err != nil {
		return Account{}, err
	}
	count, newest, err := s.feeSchedules.ListFiles(ctx, u.ID)
	return newAccount(u, s.version, count, newest), err
}

func newAccount(u users.User, version string, count int, newest []FeeScheduleRequest) Account {
	account := Account{
		ID: u.ID, UserNm: u.UserName, UserFirstName: u.FirstName, UserLastName: u.LastName, UserMidName: u.MiddleName,
		EmailAddr: u.Email, PhoneNum: u.Phone, TypeCd: u.TypeCd, TypeDesc: users.TypeName(u.TypeCd),
		StatusCd: string(u.StatusCd), StatusDesc: u.StatusCd.Name(), AppVersion: version,
		JobTitle: u.JobTitle, CompanyNm: u.CompanyName, CompanyURL: u.CompanyURL,
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		FeeSchedRqstsCnt: count, FeeSchedRqsts: newest,
	}
	if u.GroupID != 0 {
		account.GrpInfoID = &u.GroupID
	}
	return account
}
