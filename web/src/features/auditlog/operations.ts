import { ofNetwork, operations } from './operations.gen';

export { operations };

/** Options for a select. */
export const operationOptions = Object.entries(operations)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label));

export const groupOperationOptions = operationOptions.filter(({ value }) => !ofNetwork.has(value));

/** The labels of a search's fields, as on the screens. */
export const searchFields: Record<string, string> = {
  tins: 'Tax ID',
  ftin: 'Tax ID',
  number: 'Check or transfer number',
  payer: 'Payer',
  paidFrom: 'Paid from',
  paidTo: 'Paid to',
  amount: 'Amount',
  method: 'Method',
  reversals: 'With reversals',
  adjusted: 'With provider-level adjustments',
  notPosted: 'Not posted',
  claimNumber: 'Claim Number',
  claimantFirstName: "Claimant's First Name",
  claimantLastName: "Claimant's Last Name",
  claimantDateOfBirth: "Claimant's Date of Birth",
  dateOfInjury: 'Date of Injury',
  wildcard: 'First name starts with',
  beginServiceDate: 'Service from',
  endServiceDate: 'Service to',
  billControlNumber: 'Bill Control Number',
  documentId: 'Document ID',
  providerId: 'Provider',
  lineOfBusiness: 'Line of Business',
  state: 'State',
  product: 'Product',
  person: 'User',
  subject: 'Subject',
  operation: 'Action',
  from: 'From',
  to: 'To',
};
