package bills

import (
	"wcpp/internal/platform/problem"
)

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

// OpenRemittance opens an id from SealRemittance. Callers must check the scope.
func (s *Service) OpenRemittance(sealed string) (id RemittanceID, err error) {
	if s.sealer.Open(remittancePurpose, sealed, &id) != nil {
		return id, problem.New(problem.NotFound)
	}
	return id, nil
}

// SealPage creates the id that opens the page of a bill.
func (s *Service) SealPage(b Bill) (string, error) {
	return s.PageID(b.FTIN, b.Key())
}
