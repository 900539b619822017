// Made from internal/bills/openbills/calls.go by make gen. Don't edit.

/** Labels of the outcomes of a call to a payer. */
export const callOutcomes = {
  promised: 'Payment promised',
  notOnFile: 'Not on file',
  resend: 'Resend bill',
  denied: 'Denied',
  other: 'Other',
};
