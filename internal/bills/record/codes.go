package record

import (
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/money"
)

// PageAdjustment is why a payer paid more or less than charged.
type PageAdjustment struct {
	Group  string   `json:"group"`
	Reason string   `json:"reason"`
	Amount *float64 `json:"amount" doc:"Null if the amount is missing"`
}

// PageRemark is a code that adds to the adjustments.
type PageRemark struct {
	List string `json:"list" enum:"HE,RX"`
	Code string `json:"code"`
}

// WireAdjustments converts adjustments for pages.
func WireAdjustments(of []facts.Adjustment) []PageAdjustment {
	out := []PageAdjustment{}
	for _, a := range of {
		adjustment := PageAdjustment{Group: a.Group, Reason: a.Reason}
		if !a.Unknown {
			adjustment.Amount = money.OrNone(&a.Amount)
		}
		out = append(out, adjustment)
	}
	return out
}

// WireRemarks converts remarks for pages.
func WireRemarks(of []facts.Remark) []PageRemark {
	out := []PageRemark{}
	for _, r := range of {
		out = append(out, PageRemark(r))
	}
	return out
}

// NatureNames are the payment natures in words.
var NatureNames = map[facts.Nature]string{
	facts.Money: "Payment", facts.Reversal: "Reversal", facts.ZeroReversal: "Decision reversed", facts.Denial: "Denial",
	facts.Duplicate: "Denied as duplicate", facts.Zero: "No payment due", facts.Notice: "Notice",
}
