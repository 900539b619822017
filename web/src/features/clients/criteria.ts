import { z } from 'zod/mini';

/* The fields of Client List, all required. */

export const linesOfBusiness = [
  { value: 'WC', label: "Workers' Comp" },
  { value: 'AUTO', label: 'Auto' },
];

const makeChoiceSchema = (message: string) => z.string().check(z.minLength(1, message));

export const criteriaSchema = z.object({
  lob: z.enum(['WC', 'AUTO']),
  tin: makeChoiceSchema('Error: Select Tax ID'),
  providerId: makeChoiceSchema('Error: Select Provider'),
  state: makeChoiceSchema('Error: Select State'),
  productCd: makeChoiceSchema('Error: Select Product'),
});

export type Criteria = z.infer<typeof criteriaSchema>;

/** Each depends on the previous ones. */
export const pickers = ['tin', 'providerId', 'state', 'productCd'] as const;

export const makeEmptyCriteria = (tin = ''): Criteria => ({
  lob: 'WC',
  tin,
  providerId: '',
  state: '',
  productCd: '',
});
