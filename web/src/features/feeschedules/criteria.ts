import { z } from 'zod/mini';

/* The criteria for rate codes. */

export const linesOfBusiness = [
  { value: 'DPWC', label: "Workers' Comp" },
  { value: 'DPAUT', label: 'Auto' },
];

/** The provider type of hospitals, which don't need rate codes. */
export const hospital = 'H';

export const providerNotFound = 'Error: Provider not found';

const makeChoiceSchema = (message: string) => z.string().check(z.minLength(1, message));

/** The form's schema. Its error says why no provider is selected. */
export const makeCriteriaSchema = (noProviders = false) =>
  z.object({
    lob: z.enum(['DPWC', 'DPAUT']),
    tin: makeChoiceSchema('Error: Select Tax ID'),
    providerId: makeChoiceSchema(noProviders ? providerNotFound : 'Error: Select Provider'),
  });

export type Criteria = z.infer<ReturnType<typeof makeCriteriaSchema>>;

export const makeEmptyCriteria = (tin = ''): Criteria => ({ lob: 'DPWC', tin, providerId: '' });

/** The criteria with the provider's type. */
export interface Searched extends Criteria {
  providerType: string;
}

export function read(stored: unknown): Searched | null {
  const searched = z.extend(makeCriteriaSchema(), { providerType: z.string() }).safeParse(stored);
  return searched.success ? searched.data : null;
}
