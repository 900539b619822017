import { z } from 'zod/mini';
import { tinProblem } from '@/shared/validation';
import { normaliseText } from '@/ui/text';

/* What a provider is looked up by. */

export interface Lookup {
  ftin: string;
  type: 'P' | 'F';
  prvId: string;
  firstName: string;
  lastName: string;
  facility: string;
}

export const noLookup: Lookup = {
  ftin: '',
  type: 'P',
  prvId: '',
  firstName: '',
  lastName: '',
  facility: '',
};

/** Longest values, in characters. */
export const longest = { ftin: 9, prvId: 8, name: 9 };

export const searchedTypes = [
  { value: 'P', label: 'Physician' },
  { value: 'F', label: 'Facility' },
];

const types: Record<string, string> = { P: 'Physician', F: 'Facility', A: 'Ancillary' };
export const typeOf = (code: string) => types[code] ?? 'Hospital';

const text = z.string().check(z.overwrite(normaliseText));
const name = z.string().check(z.overwrite(normaliseText), z.maxLength(longest.name));

export const lookupSchema = z
  .object({
    ftin: text,
    type: z.enum(['P', 'F']),
    prvId: text,
    firstName: name,
    lastName: name,
    facility: name,
  })
  .check(
    z.superRefine(({ ftin, prvId }, context) => {
      const wrongTin = tinProblem(ftin);
      if (wrongTin) context.addIssue({ code: 'custom', path: ['ftin'], message: wrongTin });
      if (!/^\d{0,8}$/.test(prvId))
        context.addIssue({
          code: 'custom',
          path: ['prvId'],
          message: 'Error: Enter a valid Provider ID Number',
        });
    }),
  );
