package ledger

import (
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
)

// The names of the packages below, for those who read the ledger.

// Types.
type (
	Adjustment         = facts.Adjustment
	Bill               = facts.Bill
	BillGroup          = matching.BillGroup
	Change             = facts.Change
	Codes              = facts.Codes
	Detail             = facts.Detail
	Difference         = matching.Difference
	DuplicateState     = facts.DuplicateState
	Explanation        = derive.Explanation
	FactID             = facts.FactID
	Line               = facts.Line
	Nature             = facts.Nature
	PaidLine           = facts.PaidLine
	Paper              = facts.Paper
	Payment            = facts.Payment
	PaymentDetail      = facts.PaymentDetail
	ProviderAdjustment = facts.ProviderAdjustment
	Remark             = facts.Remark
	Remittance         = facts.Remittance
	RemittancePart     = facts.RemittancePart
	RemittanceSet      = facts.RemittanceSet
	Remitted           = facts.Remitted
	Role               = derive.Role
	Submission         = facts.Submission
	Unplaced           = facts.Unplaced
	UnplacedPayment    = facts.UnplacedPayment
	Version            = derive.Version
)

// Constants.
const (
	Counted             = facts.Counted
	Denial              = facts.Denial
	Denied              = facts.Denied
	DifferenceSQL       = facts.DifferenceSQL
	DiffersCharge       = matching.DiffersCharge
	DisplayStateSQL     = facts.DisplayStateSQL
	Document            = facts.Document
	Duplicate           = facts.Duplicate
	EORPaper            = facts.EORPaper
	FromClaim           = facts.FromClaim
	FromEarlier         = facts.FromEarlier
	FromRemittance      = facts.FromRemittance
	FromTable           = facts.FromTable
	ImagePaper          = facts.ImagePaper
	Money               = facts.Money
	NotPriced           = facts.NotPriced
	Notice              = facts.Notice
	Paid                = facts.Paid
	PaidShort           = facts.PaidShort
	PharmacyCodes       = facts.PharmacyCodes
	PossibleDuplicate   = facts.PossibleDuplicate
	Priced              = facts.Priced
	Received            = facts.Received
	ReceivedByRepricer  = facts.ReceivedByRepricer
	RemarkCodes         = facts.RemarkCodes
	Replaced            = facts.Replaced
	Repriced            = facts.Repriced
	Reversal            = facts.Reversal
	Reversed            = facts.Reversed
	RoleInForce         = derive.RoleInForce
	RoleInformational   = derive.RoleInformational
	RoleOverridden      = derive.RoleOverridden
	RoleReduced         = derive.RoleReduced
	RoleReversal        = derive.RoleReversal
	RoleReversed        = derive.RoleReversed
	RoleSuperseded      = derive.RoleSuperseded
	RoleUncounted       = derive.RoleUncounted
	RoleWaiting         = derive.RoleWaiting
	SameCheck           = facts.SameCheck
	SheetPaper          = facts.SheetPaper
	SourceBill          = facts.SourceBill
	SourcePayment       = facts.SourcePayment
	StateEmployer       = facts.StateEmployer
	StateGiven          = facts.StateGiven
	StatusDenied        = facts.StatusDenied
	StatusPaid          = facts.StatusPaid
	StatusPaidCorrected = facts.StatusPaidCorrected
	StatusPriced        = facts.StatusPriced
	StatusReceived      = facts.StatusReceived
	StatusVoid          = facts.StatusVoid
	Voided              = facts.Voided
	Zero                = facts.Zero
	ZeroReversal        = facts.ZeroReversal
)

// Functions.
var (
	CheckKey        = facts.CheckKey
	CollectCodes    = facts.CollectCodes
	Derive          = derive.Bills
	FindDifferences = matching.FindDifferences
	FindLatestPaper = facts.FindLatestPaper
	NumberKey       = facts.NumberKey
)
