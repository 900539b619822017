// Made from internal/bills/ledger/measures.go by make gen. Don't edit.

/** Labels of the quality measures. */
export const measureNames: Record<string, string> = {
  BALANCED: 'Balanced remittances',
  CLAIM_NUMBER: 'Bills with a claim number',
  EXPLAINED: 'Codes with an explanation',
  LINES: 'Bills with service lines',
  MATCHED: 'Payments with a matching bill',
  NPI: 'Bills with a valid NPI',
  RECEIVED: 'Bills with their own received date',
};

/** Explanations of the quality measures. */
export const measureNotes: Record<string, string> = {
  BALANCED: 'The total equals payments minus adjustments.',
  EXPLAINED: 'Payment reason codes, counted once per payment.',
  MATCHED: "Matched at import. Bills received later don't count.",
  NPI: 'The NPI is present and passes its check digit.',
  RECEIVED: "Other bills use their file's date.",
};
