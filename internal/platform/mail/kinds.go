package mail

import (
	"maps"
	"slices"
)

// Kind is the kind of an email. It's stored with the email.
type Kind string

// Label returns the kind's label on screens, or false if the kind isn't registered.
func (k Kind) Label() (string, bool) {
	label, ok := kindLabels[k]
	return label, ok
}

// Kinds returns all kinds in alphabetical order.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kindLabels)) }

// kindLabels is the only list of email kinds. After a change, run make gen to update the
// browser's list.
var kindLabels = map[Kind]string{
	"account-request":              "Account request link",
	"account-known":                "Account request: account already exists",
	"account-request-under-review": "Account request: under review",
	"account-request-submitted":    "Account request: submitted",
	"account-request-declined":     "Account request: declined",
	"registration":                 "Registration",
	"password-reset":               "Password reset",
	"password-reset-by-admin":      "Password reset by an administrator",
	"forgotten-username":           "Forgotten username",
	"password-changed":             "Password changed",
	"email-changed":                "Email address changed",
	"email-asked":                  "Email address change notice",
	"email-confirm":                "Email confirmation link",
	"tin-shared":                   "TIN added by another office",
	"tin-shared-waiting":           "TIN requested by another office",
	"tin-waiting":                  "TIN pending review",
	"tin-added":                    "TIN added to your group",
	"tin-added-non-network":        "TIN added to your account",
	"tin-approved":                 "TIN approved",
	"tin-refused":                  "TIN denied",
	"tin-kept":                     "TIN kept after an objection",
	"tin-taken-away":               "TIN revoked after an objection",
	"tin-objection-decided":        "Objection decision",
	"sign-in-bind":                 "Sign-in confirmation link",
	"sign-in-notice":               "Sign-in notice",
	"factor-reset":                 "Two-step verification reset link",
	"factors-removed":              "Two-step verification reset",
	"feed-late":                    "Late file alert",
	"given-up":                     "Failed jobs alert",
	"roster-arrived":               "Roster update",
	"roster-returned":              "Roster returned",
	"passkey-added":                "Passkey added",
	"app-added":                    "Authenticator app added",
	"factor-removed":               "Passkey or app removed",
	"recovery-codes":               "New recovery codes",
	"news":                         "Bill updates",
	"watched-news":                 "Updates on followed bills",
	"mailbox-confirm":              "Office mailbox confirmation link",
	"case-assigned":                "Question assigned to a staff member",
	"case-legal":                   "Legal deadlines of complaints",
	"case-news":                    "Answer to a question",
	"access-review":                "Access review reminder",
	"visit-begun":                  "Network access alert",
	"visit-request":                "Network access request",
	"visit-override":               "Emergency override notice",
	"visit-answered":               "Access request decision",
	"visit-switched":               "Access approval setting changed",
	"recovery-code-used":           "Recovery code used",
}
