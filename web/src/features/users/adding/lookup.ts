import { z } from 'zod/mini';
import { findTinProblem, tinKind } from '@/shared/validation';
import { boundedText, normalizedText } from '@/ui/form/boundedText';
import { digitGroups, line } from '@/ui/form/kinds';

/* The criteria for a provider. */

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

/** The kinds of the fields. */
export const kinds = { ftin: tinKind, prvId: digitGroups(8), name: line(120) };

// The search uses only this many leading characters of a name.
const searchedBy = 9;

/** The name as sent. */
export const getPrefix = (name: string) => [...name].slice(0, searchedBy).join('').trim();

export const searchedTypes = [
  { value: 'P', label: 'Physician' },
  { value: 'F', label: 'Facility' },
];

const types: Record<string, string> = { P: 'Physician', F: 'Facility', A: 'Ancillary' };
export const formatType = (code: string) => types[code] ?? 'Hospital';

const name = boundedText(kinds.name);

export const lookupSchema = z
  .object({
    ftin: normalizedText(kinds.ftin),
    type: z.enum(['P', 'F']),
    prvId: normalizedText(kinds.prvId),
    firstName: name,
    lastName: name,
    facility: name,
  })
  .check(
    z.superRefine(({ ftin, prvId }, context) => {
      const wrongTin = findTinProblem(ftin);
      if (wrongTin) context.addIssue({ code: 'custom', path: ['ftin'], message: wrongTin });
      if (!/^\d{0,8}$/.test(prvId))
        context.addIssue({
          code: 'custom',
          path: ['prvId'],
          message: 'Error: Enter a valid Provider ID Number',
        });
    }),
  );
