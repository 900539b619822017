package demo

// ConfirmedRules are those of the portal's drafts of deadlines that the demo's staff
// have confirmed: those of states whose law the demo's bills are under.
var ConfirmedRules = []string{"IL-WC-PAY", "IL-WC-INTEREST", "TX-WC-ANSWER", "TX-WC-RECONSIDER"}

// RuleReviewer stands as who has reviewed them.
const RuleReviewer = "Example, not reviewed by counsel"
