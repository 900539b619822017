package directory

import (
	"context"
	"fmt"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
)

// Physician is a physician of the directory.
type Physician struct {
	PrvID            string    `json:"prvId"`
	PhyLastName      string    `json:"phyLastName"`
	PhyFirstName     string    `json:"phyFirstName"`
	PhyMiddleInitial string    `json:"phyMiddleInitial"`
	PhyMiddleName    string    `json:"phyMiddleName"`
	DegreeStr        string    `json:"degreeStr"`
	PhyDateOfBirth   date.Date `json:"phyDateOfBirth"`
	PhyGender        string    `json:"phyGender"`
	LanguageStr      string    `json:"languageStr"`
	PrvNpi           string    `json:"prvNpi"`
	LobString        string    `json:"lobString" doc:"Lines of business"`
}

// PhysicianSpecialty is a physician's specialty.
type PhysicianSpecialty struct {
	SpecDesc string `json:"specDesc"`
	SrrRank  int    `json:"srrRank"`
}

// OfficeService is a service that an office offers.
type OfficeService struct {
	FsrShortDesc string `json:"fsrShortDesc"`
}

// OfficeSpecialty is a specialty that an office offers.
type OfficeSpecialty struct {
	SpecDesc string `json:"specDesc"`
}

// OfficeFocus is a focus area of an office.
type OfficeFocus struct {
	FocusShortDesc string `json:"focusShortDesc"`
}

// OfficeLanguage is a language spoken at an office.
type OfficeLanguage struct {
	LngLanguageName string `json:"lngLanguageName"`
}

// PhysicianLocation is a physician's practice location.
type PhysicianLocation struct {
	PoflOfcID                string          `json:"poflOfcId"`
	PhoOfficeName            string          `json:"phoOfficeName"`
	PoflPrimaryOfficeFlag    string          `json:"poflPrimaryOfficeFlag" enum:"Y,N"`
	Address                  string          `json:"address"`
	OfcDirectoryPhoneNbr     string          `json:"ofcDirectoryPhoneNbr" doc:"Digits"`
	OfcFaxNbr                string          `json:"ofcFaxNbr" doc:"Digits"`
	OfcEmailAddress          string          `json:"ofcEmailAddress"`
	PtcTaxID                 string          `json:"ptcTaxId"`
	PoflAcceptWcPatientsFlag string          `json:"poflAcceptWcPatientsFlag" enum:",Y,N" doc:"Empty: unknown"`
	Details                  []OfficeService `json:"details" nullable:"false"`
}

// ProviderLicense is a license to practice.
type ProviderLicense struct {
	PrvID              string    `json:"prvId"`
	LtrLicenseType     string    `json:"ltrLicenseType"`
	PlicStateCode      string    `json:"plicStateCode"`
	PlicLicenseNbr     string    `json:"plicLicenseNbr"`
	PlicIssueDate      date.Date `json:"plicIssueDate"`
	PlicExpirationDate date.Date `json:"plicExpirationDate"`
	LsrStatus          string    `json:"lsrStatus"`
}

// Facility is a facility, hospital or ancillary provider of the directory.
type Facility struct {
	PrvID            string  `json:"prvId"`
	FaclFacilityName string  `json:"faclFacilityName"`
	FaclTaxID        string  `json:"faclTaxId" doc:"One of its billing TINs"`
	PrvNpi           *string `json:"prvNpi"`
	FLob             string  `json:"fLob" doc:"Lines of business"`
}

// FacilityLocation is a facility's location with its services.
type FacilityLocation struct {
	PoflOfcID               string            `json:"poflOfcId"`
	FaclocDirectoryLocName  string            `json:"faclocDirectoryLocName"`
	FlfPrimaryLocationFlag  string            `json:"flfPrimaryLocationFlag" enum:"Y,N"`
	AddressString           string            `json:"addressString"`
	FaclocDirectoryPhoneNbr string            `json:"faclocDirectoryPhoneNbr" doc:"Digits"`
	FaclocFaxNbr            string            `json:"faclocFaxNbr" doc:"Digits"`
	FaclocEmailAddress      string            `json:"faclocEmailAddress"`
	FlfAcceptWcPatients     string            `json:"flfAcceptWcPatients" enum:",Y,N" doc:"Empty: unknown"`
	Services                []OfficeService   `json:"services" nullable:"false"`
	Specialties             []OfficeSpecialty `json:"specialties" nullable:"false"`
	Focuses                 []OfficeFocus     `json:"focuses" nullable:"false"`
	Languagues              []OfficeLanguage  `json:"languagues" nullable:"false"`
}

func formatFlag(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}

func formatAccepts(accepts *bool) string {
	if accepts == nil {
		return ""
	}
	return formatFlag(*accepts)
}

func convertAll[From, To any](list []From, to func(From) To) []To {
	out := make([]To, len(list))
	for i, item := range list {
		out[i] = to(item)
	}
	return out
}

func listOffered[To any](o Office, kind string, to func(string) To) []To {
	out := []To{}
	for _, d := range o.Details {
		if d.Kind == kind {
			out = append(out, to(d.Description))
		}
	}
	return out
}

func toOfficeService(s string) OfficeService { return OfficeService{s} }

func toPhysician(id string, r Record) Physician {
	return Physician{
		PrvID: id, PhyLastName: r.LastName, PhyFirstName: r.FirstName, PhyMiddleInitial: initial(r.MiddleName), PhyMiddleName: r.MiddleName,
		DegreeStr: r.Degrees, PhyDateOfBirth: r.BirthDate, PhyGender: r.Gender, LanguageStr: r.Languages, PrvNpi: r.NPI,
		LobString: r.LinesOfBusiness,
	}
}

func toPhysicianLocation(o Office) PhysicianLocation {
	return PhysicianLocation{
		PoflOfcID: o.OfficeID, PhoOfficeName: o.Name, PoflPrimaryOfficeFlag: formatFlag(o.IsPrimary), Address: o.Address,
		OfcDirectoryPhoneNbr: o.Phone, OfcFaxNbr: o.Fax, OfcEmailAddress: o.Email, PtcTaxID: o.FTIN,
		PoflAcceptWcPatientsFlag: formatAccepts(o.AcceptsWC), Details: listOffered(o, "SERVICE", toOfficeService),
	}
}

func toLicense(id string, l License) ProviderLicense {
	return ProviderLicense{
		PrvID: id, LtrLicenseType: l.LicenseType, PlicStateCode: l.State, PlicLicenseNbr: l.LicenseNumber,
		PlicIssueDate: l.IssueDate, PlicExpirationDate: l.ExpirationDate, LsrStatus: l.Status,
	}
}

func toFacility(id, ftin string, r Record) Facility {
	f := Facility{PrvID: id, FaclFacilityName: r.FacilityName, FaclTaxID: ftin, FLob: r.LinesOfBusiness}
	if r.NPI != "" {
		f.PrvNpi = &r.NPI
	}
	return f
}

func toFacilityLocation(o Office) FacilityLocation {
	return FacilityLocation{
		PoflOfcID: o.OfficeID, FaclocDirectoryLocName: o.Name, FlfPrimaryLocationFlag: formatFlag(o.IsPrimary), AddressString: o.Address,
		FaclocDirectoryPhoneNbr: o.Phone, FaclocFaxNbr: o.Fax, FaclocEmailAddress: o.Email, FlfAcceptWcPatients: formatAccepts(o.AcceptsWC),
		Services:    listOffered(o, "SERVICE", toOfficeService),
		Specialties: listOffered(o, "SPECIALTY", func(s string) OfficeSpecialty { return OfficeSpecialty{s} }),
		Focuses:     listOffered(o, "FOCUS", func(s string) OfficeFocus { return OfficeFocus{s} }),
		Languagues:  listOffered(o, "LANGUAGE", func(s string) OfficeLanguage { return OfficeLanguage{s} }),
	}
}

type providerInput struct {
	ID string `path:"prvId" maxLength:"20"`
}

// registerRecord adds an endpoint that returns one record of a provider.
func registerRecord[To any](api *httpapi.API, id, path, summary string, find func(context.Context, access.Actor, string) (To, error)) {
	httpapi.Register(api, httpapi.Operation{
		ID: id, Method: http.MethodGet, Path: path + "/{prvId}", Summary: summary, Access: "directory.lookup", Effect: httpapi.Read,
	}, func(ctx context.Context, in *providerInput) (*struct{ Body To }, error) {
		found, err := find(ctx, access.From(ctx), in.ID)
		return &struct{ Body To }{found}, err
	})
}

// registerList adds an endpoint that lists a provider's records, page by page.
func registerList[Row any](
	api *httpapi.API, id, path, summary string, find func(ctx context.Context, a access.Actor, id string, page int) ([]Row, error),
) {
	httpapi.Register(api, httpapi.Operation{
		ID: id, Method: http.MethodGet, Path: path + "/{prvId}", Summary: summary, Access: "directory.lookup", Effect: httpapi.Read,
		Description: fmt.Sprintf("Up to %d. If a page is full, there might be another one.", maxParts),
	}, func(ctx context.Context, in *struct {
		ID   string `path:"prvId" maxLength:"20"`
		Page int    `query:"page" minimum:"0" maximum:"1000" doc:"From 0"`
	}) (*struct{ Body []Row }, error) {
		found, err := find(ctx, access.From(ctx), in.ID, in.Page)
		return &struct{ Body []Row }{found}, err
	})
}

func (s *Service) registerRecords(api *httpapi.API) {
	registerRecord(api, "physician", "/provider/Phys", "Get a physician",
		func(ctx context.Context, a access.Actor, id string) (Physician, error) {
			r, err := s.Record(ctx, a, id, true)
			return toPhysician(id, r), err
		})
	registerList(api, "physicianSpecialties", "/provider/Phys/Spec", "List a physician's specialties by rank",
		func(ctx context.Context, a access.Actor, id string, page int) ([]PhysicianSpecialty, error) {
			list, err := s.Specialties(ctx, a, id, page)
			return convertAll(list, func(x Specialty) PhysicianSpecialty { return PhysicianSpecialty{x.Description, x.Rank} }), err
		})
	registerList(api, "physicianLocations", "/provider/Phys/Loc", "List a physician's practice locations",
		func(ctx context.Context, a access.Actor, id string, page int) ([]PhysicianLocation, error) {
			list, err := s.Offices(ctx, a, id, page)
			return convertAll(list, toPhysicianLocation), err
		})
	licenses := func(ctx context.Context, a access.Actor, id string, page int) ([]ProviderLicense, error) {
		list, err := s.Licenses(ctx, a, id, page)
		return convertAll(list, func(l License) ProviderLicense { return toLicense(id, l) }), err
	}
	registerList(api, "physicianLicenses", "/provider/Phys/Lic", "List a physician's licenses", licenses)
	registerList(api, "facilityLicenses", "/provider/Fac/Lic", "List a facility's licenses", licenses)
	registerRecord(api, "facility", "/provider/facility", "Get a facility, hospital or ancillary provider",
		func(ctx context.Context, a access.Actor, id string) (Facility, error) {
			r, err := s.Record(ctx, a, id, false)
			if err != nil {
				return Facility{}, err
			}
			ftin, err := s.findVisibleTIN(ctx, a, id)
			return toFacility(id, ftin, r), err
		})
	registerList(api, "facilityLocations", "/provider/facility/Loc", "List a facility's locations and services",
		func(ctx context.Context, a access.Actor, id string, page int) ([]FacilityLocation, error) {
			list, err := s.Offices(ctx, a, id, page)
			return convertAll(list, toFacilityLocation), err
		})
}

// findVisibleTIN returns a provider's TIN that the actor can see.
func (s *Service) findVisibleTIN(ctx context.Context, a access.Actor, providerID string) (string, error) {
	tins, err := listTINs(ctx, s.db.Reader, providerID)
	if err != nil {
		return "", err
	}
	scope, err := s.scopes.Scope(ctx, a)
	for _, ftin := range tins {
		if a.Reach().SeesTIN(scope, ftin) {
			return ftin, err
		}
	}
	return "", err
}
