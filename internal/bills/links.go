package bills

import (
	"wcpp/internal/platform/problem"
)

// RemittanceID names a check or transfer within its TIN. It travels sealed.
type RemittanceID struct {
	FTIN       string
	Remittance string
}

const remittancePurpose = "remittance"

// SealRemittance makes the id by which the page of a remittance is opened.
func (s *Service) SealRemittance(id RemittanceID) (string, error) {
	return s.sealer.Name(remittancePurpose, id)
}

// OpenRemittance reads an id that SealRemittance made; whoever uses it checks the scope.
func (s *Service) OpenRemittance(sealed string) (id RemittanceID, err error) {
	if s.sealer.Open(remittancePurpose, sealed, &id) != nil {
		return id, problem.New(problem.NotFound)
	}
	return id, nil
}

// SealPage makes the id by which the page of a bill is opened.
func (s *Service) SealPage(b Bill) (string, error) {
	return s.PageID(b.FTIN, b.Key())
}
