package demo

// ConfirmedRules are the built-in deadline drafts that the demo's staff confirmed. They belong
// to the states with demo bills.
var ConfirmedRules = []string{"IL-WC-PAY", "IL-WC-INTEREST", "TX-WC-ANSWER", "TX-WC-RECONSIDER"}

// RuleReviewer is the reviewer of the confirmed rules.
const RuleReviewer = "Example, not reviewed by counsel"
