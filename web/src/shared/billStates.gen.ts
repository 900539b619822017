// Made from internal/bills/billstate/billstate.go by make gen. Don't edit.

/** Labels of the states of a bill. */
export const billStates = {
  received: 'Not repriced',
  priced: 'Repriced, unpaid',
  denied: 'Denied',
  nothingPaid: 'Paid $0',
  short: 'Paid below allowance',
  takenBack: 'Payment reversed',
  paid: 'Paid',
  other: 'Other',
  void: 'Void',
  replaced: 'Replaced',
};
