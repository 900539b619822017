package record

import (
	"cmp"
	"context"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/problem"
)

// PageID is the content of the sealed id of a bill page. It keeps TINs and bill numbers out of
// URLs. Each use checks the scope again.
type PageID struct {
	FTIN string
	Key  string `json:",omitempty"` // of the bill control number; for a bill of the second system, its number
	ExID string `json:",omitempty"` // the bill's id in the second bill system, if it's from there
	// Document finds a bill of the second system without a number.
	Document string `json:",omitempty"`
}

const pagePurpose = "bill page"

// SealPageID creates the id that opens a page.
func (s *Service) SealPageID(id PageID) (string, error) { return s.sealer.Name(pagePurpose, id) }

// SealPage creates the id that opens the page of a bill.
func (s *Service) SealPage(b Bill) (string, error) { return s.PageID(b.FTIN, b.Key()) }

// SealSecond creates the id that opens the page of a bill in the second bill system.
func (s *Service) SealSecond(b secondsystem.Bill) (string, error) {
	return s.SealPageID(PageID{FTIN: b.FTIN, Key: b.BillControlNumber, ExID: b.ExID, Document: b.DocumentID})
}

// PageID returns the sealed page id of a bill of the network.
func (s *Service) PageID(ftin, key string) (string, error) {
	return s.SealPageID(PageID{FTIN: ftin, Key: key})
}

// OpenPageID returns the network's bill of a page id, without checking the scope.
func (s *Service) OpenPageID(id string) (ftin, key string, ok bool) {
	var page PageID
	if s.sealer.Open(pagePurpose, id, &page) != nil || page.ExID != "" || page.Document != "" {
		return "", "", false
	}
	return page.FTIN, page.Key, true
}

// OpenPageIDs returns the network's bills of page ids in the actor's scope, by id.
func (s *Service) OpenPageIDs(ctx context.Context, a access.Actor, ids []string) (map[string]facts.BillRef, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	list := map[string]facts.BillRef{}
	for _, id := range ids {
		if ftin, key, ok := s.OpenPageID(id); ok && scope.Has(ftin) {
			list[id] = facts.BillRef{FTIN: ftin, Key: key}
		}
	}
	return list, nil
}

// IsSecond reports whether a page id is for a bill of the second bill system.
func (s *Service) IsSecond(sealed string) bool {
	var id PageID
	return s.sealer.Open(pagePurpose, sealed, &id) == nil && id.ExID != ""
}

// ErrNoPage is the error for a link to nothing, or to something out of scope.
func ErrNoPage() error {
	return problem.WithMessage(problem.NotFound, "This link is no longer valid. Find the bill by its number.")
}

// OpenPage opens an id issued by the portal and checks that the actor can still see its bill. An
// id sealed with a retired key is treated as invalid.
func (s *Service) OpenPage(
	ctx context.Context, a access.Actor, operation audit.Operation, sealed string,
) (id PageID, scope access.Scope, err error) {
	if s.sealer.Open(pagePurpose, sealed, &id) != nil {
		return id, scope, ErrNoPage()
	}
	if scope, err = s.scopes.Scope(ctx, a); err != nil {
		return id, scope, err
	}
	if !scope.Has(id.FTIN) {
		if err := s.audit.RecordNow(ctx, Entry(operation, id.FTIN, cmp.Or(id.Key, id.Document, id.ExID), Refused)); err != nil {
			return id, scope, err
		}
		return id, scope, ErrNoPage()
	}
	return id, scope, nil
}

// DocumentID is the content of a sealed document id. It keeps TINs and bill numbers out of URLs.
// Each use checks the scope again.
type DocumentID struct {
	Kind string // Image, EOR or Second
	FTIN string
	Key  string // key of the bill control number, or the second system's id
}

const documentPurpose = "bill document"

// SealDocument creates the id that opens a document.
func (s *Service) SealDocument(id DocumentID) (string, error) {
	return s.sealer.Name(documentPurpose, id)
}

// OpenDocument opens a sealed id and checks that the actor can still see the bill. The id is a
// kind and a bill page (see linkDocument), or it's sealed for the document.
func (s *Service) OpenDocument(ctx context.Context, a access.Actor, id string) (DocumentID, access.Scope, error) {
	var d DocumentID
	if kind, page, of := strings.Cut(id, "."); of {
		ftin, key, named := s.OpenPageID(page)
		if !named || kind != Image && kind != EOR {
			return d, access.Scope{}, problem.New(problem.NotFound)
		}
		d = DocumentID{kind, ftin, key}
	} else if s.sealer.Open(documentPurpose, id, &d) != nil {
		return d, access.Scope{}, problem.New(problem.NotFound)
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return d, scope, err
	}
	if !scope.Has(d.FTIN) {
		if err := s.audit.RecordNow(ctx, Entry(audit.Operation("open-"+d.Kind), d.FTIN, d.Key, Refused)); err != nil {
			return d, scope, err
		}
		return d, scope, problem.New(problem.NotFound)
	}
	return d, scope, nil
}

// linkDocument returns the address of a document for a bill page. The query alone checks if it exists.
func linkDocument(kind, page string) string {
	id := kind + "." + page
	return "/api/billSearch/billImage/" + id + "?id=" + id
}

// RemittanceID identifies a check or transfer within its TIN. It's sealed in transit.
type RemittanceID struct {
	FTIN       string
	Remittance string
}

const remittancePurpose = "remittance"

// SealRemittance creates the id that opens the page of a remittance.
func (s *Service) SealRemittance(id RemittanceID) (string, error) {
	return s.sealer.Name(remittancePurpose, id)
}

// LinkRemittance returns the page id of a remittance, or empty if there's none.
func (s *Service) LinkRemittance(ftin, remittance string) (string, error) {
	if remittance == "" {
		return "", nil
	}
	return s.SealRemittance(RemittanceID{ftin, remittance})
}

// OpenRemittance opens an id from SealRemittance. Callers must check the scope.
func (s *Service) OpenRemittance(sealed string) (id RemittanceID, err error) {
	if s.sealer.Open(remittancePurpose, sealed, &id) != nil {
		return id, problem.New(problem.NotFound)
	}
	return id, nil
}
