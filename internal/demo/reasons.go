package demo

// Reasons are the network's own texts for remark codes in the demo's payments, as staff would
// import them. One code in use lacks a text, to show the portal's message for that case.
const Reasons = `list,code,title,plain,advice
RARC,` + remarkContract +
	`,The contract of payer and provider sets what is paid.,The remark points to the terms of the network.,` +
	`"Compare the allowance with the fee schedule. If they differ, contact support."
RARC,` + remarkUnits +
	`,More units were billed than the payer pays for.,Only the units up to its limit are paid.,` +
	`"Check the units on the line. If they're correct, send the supporting notes."
RARC,` + remarkBundled +
	`,This service is paid as a part of another one.,It has no payment of its own on this bill.,` +
	`"Check the other lines. If this was a separate service, send the notes to the payer."
RARC,N706,A record that the payer needs is missing.,The bill waits for it and nothing is paid until then.,` +
	`"Send the records with the bill number before the deadline."
`
