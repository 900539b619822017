package demo

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// resource is a document, or a film, that the network gives its providers.
type resource struct {
	file, name, category string
	date                 string
	lead                 string
	parts                [][2]string // heading and text
}

func (d resource) folder() string { return strings.ReplaceAll(strings.ToLower(d.category), " ", "-") }

func (d resource) published() time.Time {
	at, err := time.Parse(time.DateOnly, d.date)
	if err != nil {
		panic(err) // the dates stand below
	}
	return at
}

func (d resource) pdf() ([]byte, error) {
	f := fpdf.New("P", "mm", "Letter", "")
	tr := f.UnicodeTranslatorFromDescriptor("")
	f.SetTitle(d.name, true)
	f.SetCreationDate(d.published())
	f.SetModificationDate(d.published())
	f.SetMargins(22, 22, 22)
	f.SetAutoPageBreak(true, 24)
	f.AliasNbPages("")
	f.SetHeaderFunc(func() {
		f.SetFillColor(8, 61, 85)
		f.Rect(0, 0, 215.9, 14, "F")
		f.SetXY(22, 3)
		f.SetTextColor(255, 255, 255)
		f.SetFont("Helvetica", "B", 10)
		f.CellFormat(86, 8, "Harborline Network", "", 0, "L", false, 0, "")
		f.SetFont("Helvetica", "", 9)
		f.CellFormat(86, 8, tr(d.category), "", 0, "R", false, 0, "")
		f.SetXY(22, 24)
	})
	f.SetFooterFunc(func() {
		f.SetXY(22, -16)
		f.SetTextColor(63, 75, 90)
		f.SetFont("Helvetica", "", 8)
		f.CellFormat(120, 8, tr(d.name), "", 0, "L", false, 0, "")
		f.CellFormat(52, 8, fmt.Sprintf("Page %d of {nb}", f.PageNo()), "", 0, "R", false, 0, "")
	})
	f.AddPage()
	f.SetTextColor(22, 32, 44)
	f.SetFont("Helvetica", "B", 20)
	f.MultiCell(0, 9, tr(d.name), "", "L", false)
	f.SetFont("Helvetica", "", 9)
	f.SetTextColor(63, 75, 90)
	f.CellFormat(0, 8, d.published().Format("January 2, 2006"), "", 1, "L", false, 0, "")
	f.Ln(3)
	f.SetFont("Helvetica", "", 12)
	f.MultiCell(0, 6.2, tr(d.lead), "", "L", false)
	f.SetTextColor(22, 32, 44)
	for _, part := range d.parts {
		f.Ln(5)
		f.SetFont("Helvetica", "B", 13)
		f.CellFormat(0, 8, tr(part[0]), "", 1, "L", false, 0, "")
		f.SetFont("Helvetica", "", 10.5)
		f.MultiCell(0, 5.6, tr(part[1]), "", "L", false)
	}
	var b bytes.Buffer
	err := f.Output(&b)
	return b.Bytes(), err
}

const (
	notifications   = "Notifications"
	pressReleases   = "Press Releases"
	providerManuals = "Provider Manuals"
	releaseNotes    = "Release Notes"
	training        = "Training"
)

var resources = []resource{
	{"holiday-support-hours.pdf", "Holiday Support Hours", notifications, "2026-11-02",
		"Provider support is closed on the days below. The portal itself stays open.", [][2]string{
			{"Closed", "Thursday, November 26 and Friday, November 27, 2026. Thursday, December 24 and Friday, December 25, 2026. Friday, January 1, 2027."},
			{"While we are away", "Bills sent electronically are acknowledged as on any other day. Messages left in Tech Support are answered in the order in which they came, on the next working day from 8am Eastern."}}},
	{"pricing-sheets-in-the-portal.pdf", "Pricing Sheets Open in the Portal", notifications, "2026-10-12",
		"Bills that somebody else reviews and pays now show the network's pricing as a sheet.", [][2]string{
			{"What changes", "In Bill Search the menu of such a bill offers its pricing sheet. It lists each service line with the billed charge, the network price and the savings."},
			{"What stays", "The payer's own explanation of review remains the statement of what was paid and why. Questions about a payment go to the payer named on the bill."}}},
	{"directory-attestation.pdf", "Keep Your Directory Entry Current", notifications, "2026-09-28",
		"Employers and injured workers choose from the directory. We ask each office to check its entry every quarter.", [][2]string{
			{"What to check", "Practice name, street address and suite, telephone, office hours, languages, specialties, and whether new patients with work injuries are taken."},
			{"How to correct it", "Look yourself up in Provider Demographics. Send corrections to provider support together with the Tax ID and the NPI; they show within ten working days."}}},
	{"therapy-visits-before-review.pdf", "Physical Therapy: Visits Before Review", notifications, "2026-09-08",
		"From January 1, 2027 the first twelve visits of an accepted injury need no prior review in most states.", [][2]string{
			{"Who it is for", "Physical and occupational therapists who treat injuries accepted by a participating payer. State law goes first: where it asks for review from the first visit, nothing changes."},
			{"On the bill", "Give the date of injury and the referring physician's NPI on every bill. A bill without them cannot be matched with the injury and is sent back."}}},
	{"address-change-notice.pdf", "New Address for Paper Bills", notifications, "2026-06-01",
		"Paper bills go to a new post office box from July 1, 2026.", [][2]string{
			{"Address", "Harborline Network, Bill Intake, P.O. Box 4410, Columbus, OH 43215. Mail to the former box is forwarded for twelve months."},
			{"A faster way", "A bill sent as an 837 is acknowledged the same day. Ask your clearing house for the network's payer number."}}},

	{"two-payers-join.pdf", "Two Payers Join the Network", pressReleases, "2026-07-20",
		"Tidewater Casualty and Great Basin Mutual use Harborline's contracts for workers' compensation from August 1, 2026.", [][2]string{
			{"What it means", "Their injured workers are directed to network providers where the law allows it. Bills for services from that day follow the network's rates."},
			{"In the portal", "Both appear in Client List for each Tax ID whose contract includes their product, together with the address and electronic payer number for bills."}}},
	{"ten-thousand-locations.pdf", "Ten Thousand Practice Locations", pressReleases, "2026-05-18",
		"With the clinics of the upper Midwest the network now counts more than ten thousand practice locations.", [][2]string{
			{"Access", "Nine of ten injured workers live within fifteen miles of an occupational clinic of the network, and within thirty of an orthopedist."},
			{"Quality", "Every location was credentialed within the last three years. Offices are asked about their experience twice a year."}}},
	{"accreditation-renewed.pdf", "Accreditation Renewed", pressReleases, "2026-03-30",
		"The network's credentialing was accredited for three more years.", [][2]string{
			{"What was looked at", "Verification of licenses, board certification, malpractice history and sanctions, and the time from application to decision."},
			{"Result", "No finding needed correction. The median time from a complete application to the decision was 24 days."}}},
	{"regional-director.pdf", "A Director for the Mountain States", pressReleases, "2026-02-09",
		"Marisol Okafor leads provider relations in Colorado, Idaho, Montana, Nevada, Utah and Wyoming.", [][2]string{
			{"Her aims", "Shorter ways for rural offices: visits by video, credentialing in one step, and one person to call for each office."},
			{"Getting in touch", "Offices of these states reach her team by way of provider support; ask for the Mountain States."}}},
	{"community-care-week.pdf", "Community Care Week", pressReleases, "2025-10-06",
		"Forty-two clinics of the network opened on a Saturday for free screenings of hearing and grip strength.", [][2]string{
			{"In figures", "1,860 people came. One in nine was advised to see a physician; most had not known of a loss of hearing."},
			{"Next year", "Clinics that want to take part in 2026 tell provider support by the end of June."}}},

	{"network-provider-manual.pdf", "Network Provider Manual", providerManuals, "2026-01-01",
		"The rules of the network for physicians, facilities and their billing offices. In force from January 1, 2026.", [][2]string{
			{"Taking part", "A provider takes part with each Tax ID named in the agreement. Tell us thirty days beforehand of a new Tax ID, a new location or the end of one. Services at a location that we do not know are priced as out of network."},
			{"Treating injured workers", "See urgent injuries within one working day and others within three. Send the first report of injury to the claims administrator within the time that state law gives. Return-to-work restrictions are part of every visit's note."},
			{"Referrals", "Refer within the network where the law and the patient's needs allow it. The directory in Provider Demographics shows who takes part, by specialty and distance."},
			{"Billing", "Send bills within the time limit of the state, at the latest after 120 days. Use CMS-1500 or UB-04, or the 837. Charges are your usual ones; the network's rate is applied in review. Patients are never billed the difference."},
			{"Records", "Keep records for seven years, or longer where the law says so. Give copies that belong to a bill without charge."},
			{"Disagreements", "Ask for reconsideration within 60 days of the explanation of review. Appeals and Reconsiderations describes the way."}}},
	{"billing-and-payment-guide.pdf", "Billing and Payment Guide", providerManuals, "2026-01-01",
		"From the visit to the payment: what a bill needs and how it is priced.", [][2]string{
			{"A bill that passes", "Claim number, date of injury, the patient's name and birth date as the claims administrator has them, Tax ID, NPI of the billing and the rendering provider, diagnoses, procedures with modifiers, and units."},
			{"How it is priced", "The lesser of the state's fee schedule, the network's rate and your charge. Where a state has no schedule, the network's rate stands alone."},
			{"Where it is", "Bill Search shows a bill from the day on which it is received: received, priced, paid, denied or void. The explanation of review opens from its row."},
			{"Payment", "The payer pays, not the network. Thirty days after pricing without a payment, ask the payer named on the bill."}}},
	{"appeals-and-reconsiderations.pdf", "Appeals and Reconsiderations", providerManuals, "2026-01-01",
		"What to do when you do not agree with how a bill was priced or paid.", [][2]string{
			{"First: reconsideration", "Within 60 days of the explanation of review. Send its copy, the bill, and what speaks for another result, such as an operative report. We answer within 30 days."},
			{"Then: appeal", "Within 30 days of that answer. Somebody who had no part in the first decision looks at it, for medical questions a physician of the same specialty."},
			{"What stays open", "The ways that state law gives you. Neither step shortens a legal time limit."}}},
	{"facility-manual-supplement.pdf", "Facility Manual Supplement", providerManuals, "2026-01-01",
		"What hospitals and surgery centers need beside the provider manual.", [][2]string{
			{"Inpatient stays", "Tell the claims administrator within one working day of an emergency admission. Stays are priced by the agreement's case or daily rates; implants need their invoice."},
			{"Surgery centers", "The highest-priced procedure counts in full, the second half, each further a quarter, unless the state says otherwise."}}},
	{"roster-guide.pdf", "Roster Guide", providerManuals, "2026-04-15",
		"For groups that keep their providers by roster: the file, its columns and when it counts.", [][2]string{
			{"The file", "One row for each provider and location. NPI, Tax ID, names, specialty, address, telephone and the first day are required; the last day ends a row."},
			{"When it counts", "A file sent by the 20th shows in the directory from the 1st of the next month. Rows with faults come back with the reason, the others are taken."}}},

	{"release-2-3-35.pdf", "Portal Release 2.3.35", releaseNotes, "2026-10-12",
		"Pricing sheets, sorted tables and a faster search.", [][2]string{
			{"New", "Pricing sheets for bills that others pay. Every table sorts and filters by each of its columns and keeps its place when you come back. Downloads are spreadsheets with real dates and amounts."},
			{"Mended", "Claims of patients with one name are found. Dates typed with dots are taken."}}},
	{"release-2-3-34.pdf", "Portal Release 2.3.34", releaseNotes, "2026-07-13",
		"One sign-in for all of the network's sites.", [][2]string{
			{"New", "You sign in once and reach the portal and the credentialing site. Sign Out ends both."},
			{"Mended", "A link that was mailed opens after sign-in, in place of the home page."}}},
	{"release-2-3-33.pdf", "Portal Release 2.3.33", releaseNotes, "2026-04-20",
		"Auto injury bills, and Tax IDs you manage yourself.", [][2]string{
			{"New", "Bill Search finds bills of auto payers. Administrators of an office add and remove the Tax IDs of their users."},
			{"Mended", "The claimant's birth date is shown as typed, whatever the time zone."}}},
	{"release-2-3-32.pdf", "Portal Release 2.3.32", releaseNotes, "2026-01-26",
		"Fee schedules by request.", [][2]string{
			{"New", "Ask for the fee schedule of a rate code under the bell. It is made while you work and is there when the bell counts it."},
			{"Mended", "The bell's menu can be used by keyboard."}}},
	{"release-2-3-31.pdf", "Portal Release 2.3.31", releaseNotes, "2025-10-27",
		"Client List as a spreadsheet.", [][2]string{
			{"New", "The clients of a provider, state and product can be downloaded, with the choice they were made from at the top."},
			{"Mended", "Long provider names are no longer cut in the lists."}}},

	{"portal-tour.webm", "Portal Tour", training, "2026-10-12", "", nil},
	{"getting-started.pdf", "Getting Started for Office Staff", training, "2026-10-12",
		"Your first half hour in the portal.", [][2]string{
			{"Sign in", "Open the link of the registration mail, choose a password and sign in. Tell us your job title and company when you are asked; it happens once."},
			{"Find a bill", "Bill Search: choose up to five Tax IDs, then search by claim number, claimant or bill ID. A claimant needs first and last name and birth date, and the dates of service."},
			{"Open what belongs to it", "The menu at the end of a row has the bill's image, the explanation of review and the payment."}}},
	{"administrator-quick-guide.pdf", "Quick Guide for Office Administrators", training, "2026-08-17",
		"People, Tax IDs and passwords of your office.", [][2]string{
			{"People", "Manage Users lists your office. Resend a registration mail, reset a password or end an account from the menu of its row. The last administrator cannot be ended."},
			{"Tax IDs", "Manage TINs adds a Tax ID to the office when you can name a bill or a provider of it. Give each user the Tax IDs they work with."}}},
	{"reading-an-explanation-of-review.pdf", "Reading an Explanation of Review", training, "2026-05-11",
		"Line by line: charge, reduction, allowance and what was paid.", [][2]string{
			{"The top", "Who was treated, by whom, for which injury, and which payer is responsible."},
			{"The lines", "Charge is what you billed. Reduction is what rules and rates took off. Allowance is what the network recommends; it is not yet a payment."},
			{"Payments", "Each payment with its date, check or transfer number and adjustments. The codes are those of the 835."}}},
	{"webinar-calendar.pdf", "Webinar Calendar, Winter 2026", training, "2026-11-09",
		"Free for all offices of the network, 45 minutes each, with time for questions.", [][2]string{
			{"December", "Tuesday 1, noon Eastern: Bill Search from the ground up. Thursday 10, 2pm Eastern: Appeals that succeed."},
			{"January", "Wednesday 13, noon Eastern: What changes in therapy review. Thursday 28, 1pm Eastern: Rosters for groups."},
			{"Taking part", "Tell provider support your name, office and e-mail address; the link comes by mail the day before."}}},
	{"security-for-offices.pdf", "Keeping Patients' Data Safe", training, "2026-02-23",
		"Five habits that protect your patients and your office.", [][2]string{
			{"Accounts", "One person, one account. Tell your administrator on the day on which somebody leaves. Never send a password by mail."},
			{"Screens", "Sign out when you leave the desk; the portal does it after thirty minutes. Turn screens away from the waiting room."},
			{"Mails", "We never ask for a password. If a mail looks odd, open the portal by its address and ask Tech Support."}}},
}
