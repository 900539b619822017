package demo

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// resource is a document or video that the network offers its providers.
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
		panic(err) // the dates are constants below
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
			{"Closed", "Thursday, November 26 and Friday, November 27, 2026. Thursday, December 24 and Friday, December 25, 2026. " +
				"Friday, January 1, 2027."},
			{"While we're away", "We acknowledge electronic bills as usual. We answer Tech Support messages in the order received, " +
				"starting at 8am Eastern on the next business day."}}},
	{"pricing-sheets-in-the-portal.pdf", "Pricing Sheets Open in the Portal", notifications, "2026-10-12",
		"Bills reviewed and paid by another party now have a pricing sheet.", [][2]string{
			{"What changes", "Open the bill's menu in Bill Search to see its pricing sheet. It lists each service line with the billed " +
				"charge, network price and savings."},
			{"What stays the same", "The payer's explanation of review still shows what was paid and why. Ask the payer named on the " +
				"bill about a payment."}}},
	{"directory-attestation.pdf", "Keep Your Directory Entry Current", notifications, "2026-09-28",
		"Employers and injured workers choose providers from the directory. Please check your entry every quarter.", [][2]string{
			{"What to check", "Practice name, street address and suite, phone number, office hours, languages, specialties, and " +
				"whether you accept new patients with work injuries."},
			{"How to correct it", "Find your entry in Provider Demographics. Send corrections to provider support with your Tax ID and " +
				"NPI. They appear within 10 business days."}}},
	{"therapy-visits-before-review.pdf", "Physical Therapy: Visits Before Review", notifications, "2026-09-08",
		"Starting January 1, 2027, the first 12 visits for an accepted injury don't require prior review in most states.", [][2]string{
			{"Eligibility", "Physical and occupational therapists who treat injuries accepted by a participating payer. State law " +
				"takes precedence. If it requires review from the first visit, that still applies."},
			{"On the bill", "Include the date of injury and the referring physician's NPI on every bill. We return bills without them " +
				"because we can't match them to an injury."}}},
	{"address-change-notice.pdf", "New Address for Paper Bills", notifications, "2026-06-01",
		"Starting July 1, 2026, send paper bills to a new PO box.", [][2]string{
			{"Address", "Harborline Network, Bill Intake, P.O. Box 4410, Columbus, OH 43215. The post office forwards letters from the " +
				"old box for 12 months."},
			{"A faster way", "We acknowledge 837 bills the same day. Ask your clearinghouse for the network's payer ID."}}},

	{"two-payers-join.pdf", "Two Payers Join the Network", pressReleases, "2026-07-20",
		"Tidewater Casualty and Great Basin Mutual join Harborline's workers' compensation network on August 1, 2026.", [][2]string{
			{"What changes", "They direct injured workers to network providers where the law allows it. Network rates apply to " +
				"services from that date."},
			{"In the portal", "Both appear in Client List for each Tax ID contracted for their product, with the billing address and " +
				"electronic payer ID."}}},
	{"ten-thousand-locations.pdf", "Ten Thousand Practice Locations", pressReleases, "2026-05-18",
		"With new clinics in the upper Midwest, the network now has more than 10,000 practice locations.", [][2]string{
			{"Access", "Nine out of ten injured workers live within 15 miles of a network occupational clinic and within 30 miles of " +
				"an orthopedist."},
			{"Quality", "Every location was credentialed within the last three years. We survey offices twice a year."}}},
	{"accreditation-renewed.pdf", "Accreditation Renewed", pressReleases, "2026-03-30",
		"Our credentialing program is accredited for another three years.", [][2]string{
			{"Scope of the review", "Verification of licenses, board certification, malpractice history and sanctions, and the time " +
				"from application to decision."},
			{"Result", "The reviewers found no issues. The median time from a complete application to a decision was 24 days."}}},
	{"regional-director.pdf", "A Director for the Mountain States", pressReleases, "2026-02-09",
		"Marisol Okafor leads provider relations in Colorado, Idaho, Montana, Nevada, Utah and Wyoming.", [][2]string{
			{"Her aims", "Better service for rural offices, with video visits, one-step credentialing and a dedicated contact for each " +
				"office."},
			{"Contact", "Call provider support and ask for the Mountain States team."}}},
	{"community-care-week.pdf", "Community Care Week", pressReleases, "2025-10-06",
		"On a Saturday, 42 network clinics offered free hearing and grip strength screenings.", [][2]string{
			{"By the numbers", "1,860 people attended. We advised one in nine to see a physician, most of them for hearing loss they " +
				"hadn't noticed."},
			{"Next year", "To take part in 2026, contact provider support by the end of June."}}},

	{"network-provider-manual.pdf", "Network Provider Manual", providerManuals, "2026-01-01",
		"Network rules for physicians, facilities and billing offices. Effective January 1, 2026.", [][2]string{
			{"Participation", "You participate under each Tax ID in your agreement. Notify us 30 days before you add or close a Tax ID " +
				"or location. We reprice services at unlisted locations as out of network."},
			{"Treating injured workers", "See urgent injuries within one business day and others within three. Send the first report " +
				"of injury to the claims administrator by the state deadline. Include return-to-work restrictions in every visit note."},
			{"Referrals", "Refer within the network when the law and the patient's needs allow it. Find network providers by specialty " +
				"and distance in Provider Demographics."},
			{"Billing", "Send bills by the state deadline, and within 120 days at most. Use CMS-1500, UB-04 or an 837. Bill your usual " +
				"charges. We apply the network rate during review. Don't bill patients for the difference."},
			{"Records", "Keep records for 7 years, or longer if the law requires it. Provide copies that support a bill free of charge."},
			{"Disagreements", "Request reconsideration within 60 days of the explanation of review. See Appeals and Reconsiderations."}}},
	{"billing-and-payment-guide.pdf", "Billing and Payment Guide", providerManuals, "2026-01-01",
		"Required data, repricing and payment of bills.", [][2]string{
			{"A complete bill", "Claim number, date of injury, the patient's name and birth date as the claims administrator has them, " +
				"Tax ID, NPI of the billing and the rendering provider, diagnoses, procedures with modifiers, and units."},
			{"Repricing", "You receive the lowest of the state fee schedule, the network rate and your charge. In states without a fee " +
				"schedule, the network rate applies."},
			{"Bill status", "Bill Search shows a bill from the day we receive it, as received, priced, paid, denied or void. Open the " +
				"explanation of review from its row."},
			{"Payment",
				"The payer pays, not the network. If a bill isn't paid 30 days after repricing, contact the payer named on the bill."}}},
	{"appeals-and-reconsiderations.pdf", "Appeals and Reconsiderations", providerManuals, "2026-01-01",
		"What to do if you disagree with how a bill was repriced or paid.", [][2]string{
			{"Step 1, reconsideration", "Request it within 60 days of the explanation of review. Send a copy of it, the bill and " +
				"supporting documents such as an operative report. We respond within 30 days."},
			{"Step 2, appeal", "Appeal within 30 days of our response. A reviewer who wasn't involved in the first decision reviews " +
				"it. For medical questions, that's a physician in the same specialty."},
			{"Other rights", "You keep all rights under state law. Neither step shortens a legal deadline."}}},
	{"facility-manual-supplement.pdf", "Facility Manual Supplement", providerManuals, "2026-01-01",
		"Additional rules for hospitals and surgery centers.", [][2]string{
			{"Inpatient stays", "Notify the claims administrator within one business day of an emergency admission. Stays are paid at " +
				"your agreement's case or per diem rates. Include invoices for implants."},
			{"Surgery centers", "The highest-priced procedure is paid at 100%, the second at 50% and each additional one at 25%, " +
				"unless state law differs."}}},
	{"roster-guide.pdf", "Roster Guide", providerManuals, "2026-04-15",
		"For groups that report providers by roster. File format, columns and effective dates.", [][2]string{
			{"The file", "Use one row per provider and location. NPI, Tax ID, names, specialty, address, phone number and effective " +
				"date are required. Enter a term date to end a row."},
			{"Effective dates", "Files sent by the 20th appear in the directory on the 1st of the next month. We return rows with " +
				"errors and accept the others."}}},

	{"release-2-3-35.pdf", "Portal Release 2.3.35", releaseNotes, "2026-10-12",
		"Pricing sheets, sorted tables and a faster search.", [][2]string{
			{"New", "Pricing sheets for bills paid by another party. Sort and filter every table by any column, and keep your place " +
				"when you return. Spreadsheets now have real dates and amounts."},
			{"Mended", "Fixed claim searches for patients with a single name. You can now type dates with dots."}}},
	{"release-2-3-34.pdf", "Portal Release 2.3.34", releaseNotes, "2026-07-13",
		"One sign-in for all network sites.", [][2]string{
			{"New", "Sign in once for the portal and the credentialing site. Sign Out signs you out of both."},
			{"Mended", "Links from emails now open after you sign in, instead of the home page."}}},
	{"release-2-3-33.pdf", "Portal Release 2.3.33", releaseNotes, "2026-04-20",
		"Auto injury bills, and self-service Tax ID management.", [][2]string{
			{"New", "Bill Search now includes bills from auto payers. Office administrators can add and remove their users' Tax IDs."},
			{"Mended", "Fixed the claimant's date of birth in some time zones."}}},
	{"release-2-3-32.pdf", "Portal Release 2.3.32", releaseNotes, "2026-01-26",
		"Fee schedules on request.", [][2]string{
			{"New", "Request the fee schedule of a rate code. We create it while you work, and the bell shows when it's ready."},
			{"Mended", "You can now use the bell menu with the keyboard."}}},
	{"release-2-3-31.pdf", "Portal Release 2.3.31", releaseNotes, "2025-10-27",
		"Client List as a spreadsheet.", [][2]string{
			{"New", "Download the clients for a provider, state and product. The selection is shown at the top."},
			{"Mended", "Fixed long provider names being cut off in lists."}}},

	{"portal-tour.webm", "Portal Tour", training, "2026-10-12", "", nil},
	{"getting-started.pdf", "Getting Started for Office Staff", training, "2026-10-12",
		"Your first half hour in the portal.", [][2]string{
			{"Sign in",
				"Open the link in the registration email, create a password and sign in. We ask for your job title and company once."},
			{"Find a bill", "In Bill Search, select up to five Tax IDs. Search by claim number, claimant or bill ID. For a claimant, " +
				"enter the first and last name, date of birth and dates of service."},
			{"Open its documents", "Use the menu at the end of a row to open the bill image, explanation of review and payment."}}},
	{"administrator-quick-guide.pdf", "Quick Guide for Office Administrators", training, "2026-08-17",
		"Manage your office's users, Tax IDs and passwords.", [][2]string{
			{"People", "Manage Users lists everyone in your office. Use a row's menu to resend a registration email, reset a password " +
				"or terminate an account. You can't terminate the last administrator."},
			{"Tax IDs", "Use Manage TINs to add a Tax ID to your office. You need the number of one of its bills or providers. Assign " +
				"each user the Tax IDs they work with."}}},
	{"reading-an-explanation-of-review.pdf", "Reading an Explanation of Review", training, "2026-05-11",
		"Charge, reduction, allowance and payment, line by line.", [][2]string{
			{"The top", "The patient, provider, injury and responsible payer."},
			{"The lines", "Charge is what you billed. Reduction is the adjustment under rules and rates. Allowance is the amount the " +
				"network recommends. It isn't a payment."},
			{"Payments", "Each payment has its date, check or transfer number and adjustments, with the codes from the 835."}}},
	{"webinar-calendar.pdf", "Webinar Calendar, Winter 2026", training, "2026-11-09",
		"Free for all network offices. 45 minutes each, including questions.", [][2]string{
			{"December", "Tuesday 1, noon Eastern: Bill Search from the ground up. Thursday 10, 2pm Eastern: Appeals that succeed."},
			{"January", "Wednesday 13, noon Eastern: What changes in therapy review. Thursday 28, 1pm Eastern: Rosters for groups."},
			{"Participation", "Send provider support your name, office and email address. We'll email the link the day before."}}},
	{"security-for-offices.pdf", "Keeping Patients' Data Safe", training, "2026-02-23",
		"Five habits that protect your patients and your office.", [][2]string{
			{"Accounts", "Never share accounts. Notify your administrator the day a colleague leaves. Don't send passwords by email."},
			{"Screens", "Sign out when you leave your desk. The portal signs you out after 30 minutes. Turn screens away from the " +
				"waiting room."},
			{"Mails", "We never ask for your password. If an email looks suspicious, don't use its links. Open the portal yourself and " +
				"contact Tech Support."}}},
}
