package ledger

import (
	"context"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// Other domains use these names of the packages below.

type (
	Adjustment         = facts.Adjustment
	Bill               = facts.Bill
	BillGroup          = matching.BillGroup
	Change             = facts.Change
	Claimant           = store.Claimant
	Codes              = facts.Codes
	Condition          = store.Condition
	Detail             = facts.Detail
	Difference         = matching.Difference
	DuplicateState     = facts.DuplicateState
	Explanation        = derive.Explanation
	FactID             = facts.FactID
	Hit                = store.Hit
	KeyChanges         = batch.KeyChanges
	Keyed              = batch.Keyed
	Line               = facts.Line
	Move               = batch.Move
	Nature             = facts.Nature
	OpenPlace          = store.OpenPlace
	Owned[T any]       = batch.Owned[T]
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
	Return             = batch.Return
	Role               = derive.Role
	Submission         = facts.Submission
	Unmatched          = store.Unmatched
	Unplaced           = facts.Unplaced
	UnplacedPayment    = facts.UnplacedPayment
	Version            = derive.Version
)

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
	MaxHits             = store.MaxHits
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

var (
	Bills             = store.Bills
	ErrAlreadyDecided = batch.ErrAlreadyDecided
	ErrDiffersMore    = batch.ErrDiffersMore
	ErrNoJoin         = batch.ErrNoJoin
	ErrNotSent        = batch.ErrNotSent
	ErrNotUnmatched   = batch.ErrNotUnmatched
	Remittances       = store.Remittances
)

var (
	AddBills                  = store.AddBills
	CheckCondition            = store.CheckCondition
	CheckKey                  = facts.CheckKey
	CollectCodes              = facts.CollectCodes
	Derive                    = derive.Bills
	FindAcrossTINs            = store.FindAcrossTINs
	FindByAccounts            = store.FindByAccounts
	FindByChecks              = store.FindByChecks
	FindByClaimants           = store.FindByClaimants
	FindByClaims              = store.FindByClaims
	FindByDocuments           = store.FindByDocuments
	FindByFormerNumbers       = store.FindByFormerNumbers
	FindByNumbers             = store.FindByNumbers
	FindByPayerNumbers        = store.FindByPayerNumbers
	FindCandidates            = store.FindCandidates
	FindCurrentKey            = store.FindCurrentKey
	FindDifferences           = matching.FindDifferences
	FindLatestPaper           = facts.FindLatestPaper
	FindRemittancesAcrossTINs = store.FindRemittancesAcrossTINs
	FoldNumber                = store.FoldNumber
	FormerNumbers             = store.FormerNumbers
	GetDetail                 = store.GetDetail
	ListChanges               = store.ListChanges
	ListPapers                = store.ListPapers
	ListPayments              = store.ListPayments
	ListPaymentsByBill        = store.ListPaymentsByBill
	LoadExplanation           = batch.LoadExplanation
	LoadExplanations          = batch.LoadExplanations
	NumberConditions          = store.NumberConditions
	NumberKey                 = facts.NumberKey
	SelectByNumbers           = store.SelectByNumbers
	SelectHitBills            = store.SelectHitBills
	SelectKeysWithPaper       = store.SelectKeysWithPaper
	SelectPapers              = store.SelectPapers
)

// Renumber is store.Renumber.
func Renumber[T any](
	ctx context.Context, q db.Queryer, inScope func(ftin string) bool, list []T, at func(*T) (ftin string, key *string),
) error {
	return store.Renumber(ctx, q, inScope, list, at)
}
