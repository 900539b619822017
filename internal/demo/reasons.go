package demo

// Reasons are the network's own words for remark codes of the demo's payments, as
// its staff would import them. One code that occurs has none, to show what the portal
// says then.
const Reasons = `list,code,title,plain,advice
RARC,` + remarkContract + `,The contract of payer and provider sets what is paid.,The remark points to the terms of the network.,"Compare the allowance with the fee schedule. If they differ, ask support."
RARC,` + remarkUnits + `,More units were billed than the payer pays for.,Only the units up to its limit are paid.,"Check the units of the line. If they are right, send the notes that show it."
RARC,` + remarkBundled + `,This service is paid as a part of another one.,It has no payment of its own on this bill.,"Look at the other lines. If it was a service by itself, ask the payer with the notes."
RARC,N706,A record that the payer needs is missing.,The bill waits for it and nothing is paid until then.,"Send the record with the number of the bill, in time."
`
