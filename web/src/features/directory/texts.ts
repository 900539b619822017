export const retrievalError =
  'Error: There was an error retrieving data. Please try again or contact Customer Service.';

export const licensesError = 'Error loading Physician licenses data.';
