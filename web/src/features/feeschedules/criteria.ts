import { z } from 'zod/mini';

/* What rate codes are searched by. */

export const linesOfBusiness = [
  { value: 'DPWC', label: "Workers' Comp" },
  { value: 'DPAUT', label: 'Auto' },
];

/** Of providers: what they are says what to do without rate codes. */
export const hospital = 'H';

export const providerNotFound = 'Error: Provider not found';

const chosen = (message: string) => z.string().check(z.minLength(1, message));

/** The schema of the form, which tells why no provider is chosen. */
export const criteriaSchema = (noProviders = false) =>
  z.object({
    lob: z.enum(['DPWC', 'DPAUT']),
    tin: chosen('Error: Select Tax ID'),
    providerId: chosen(noProviders ? providerNotFound : 'Error: Select Provider'),
  });

export type Criteria = z.infer<ReturnType<typeof criteriaSchema>>;

export const noCriteria = (tin = ''): Criteria => ({ lob: 'DPWC', tin, providerId: '' });

/** What was searched, with the type of its provider. */
export interface Searched extends Criteria {
  providerType: string;
}

export function read(kept: unknown): Searched | null {
  const searched = z.extend(criteriaSchema(), { providerType: z.string() }).safeParse(kept);
  return searched.success ? searched.data : null;
}
