export const licensesError = 'Error loading Physician licenses data.';
