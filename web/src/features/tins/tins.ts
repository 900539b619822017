import { z } from 'zod/mini';
import { findTinProblem, isDigits, tinKind } from '@/shared/validation';
import { boundedText, normalizedText } from '@/ui/form/boundedText';
import { digitGroups, line } from '@/ui/form/kinds';

/* The input for adding a TIN, and the messages about TINs. */

export const actionError = 'Error: An error has occurred.  Please try again or contact Customer Service.';
export const removeAll = 'You cannot remove all TINs.';
export const mirroring = "You can't change TINs while mirroring.";
export const readOnlyText = 'Your account can view TINs but not change them.';

/** The kinds of the fields. */
export const kinds = { ftin: tinKind, billControlNumber: line(22), providerId: digitGroups(8) };

const tin = normalizedText(kinds.ftin).check(
  z.superRefine((typed, context) => {
    const message = findTinProblem(typed);
    if (message) context.addIssue({ code: 'custom', message });
  }),
);

/** A TIN alone, for a non-network user. */
export const tinSchema = z.object({ ftin: tin });
export type Tin = z.output<typeof tinSchema>;
export const noTin: Tin = { ftin: '' };

/** A TIN, and the proof that the group uses it, which is a bill or provider on file. */
export const provenTinSchema = z
  .object({
    ftin: tin,
    billControlNumber: boundedText(kinds.billControlNumber),
    providerId: boundedText(kinds.providerId),
  })
  .check(
    z.superRefine(({ billControlNumber, providerId }, context) => {
      const addIssue = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (billControlNumber === '' && providerId === '')
        addIssue('billControlNumber', 'Error: Enter a Bill Control Number or Provider ID Number');
      if (providerId !== '' && !isDigits(providerId))
        addIssue('providerId', 'Error: Enter a valid Provider ID Number');
    }),
  );
export type ProvenTin = z.output<typeof provenTinSchema>;
export const noProvenTin: ProvenTin = { ftin: '', billControlNumber: '', providerId: '' };
