import { z } from 'zod/mini';
import { isDigits, tinProblem } from '@/shared/validation';
import { boundedText } from '@/ui/form/boundedText';
import { normaliseText } from '@/ui/text';

/* What may be typed to add a TIN, and what the portal says about TINs. */

export const actionError = 'Error: An error has occurred.  Please try again or contact Customer Service.';
export const removeAll = 'You cannot remove all TINs.';
export const mirroring = 'TINs cannot be changed while mirroring.';
export const readsOnly = 'Your account may look at TINs, but not change them.';

export const maxBillControlNumber = 22;
export const maxProviderId = 8;

const tin = z.string().check(
  z.overwrite(normaliseText),
  z.superRefine((typed, context) => {
    const message = tinProblem(typed);
    if (message) context.addIssue({ code: 'custom', message });
  }),
);

/** A TIN alone, as a non-network user gets it. */
export const tinSchema = z.object({ ftin: tin });
export type Tin = z.output<typeof tinSchema>;
export const noTin: Tin = { ftin: '' };

/** A TIN, and what shows that the group has to do with it: a bill or a provider on file for it. */
export const provenTinSchema = z
  .object({
    ftin: tin,
    billControlNumber: boundedText(maxBillControlNumber),
    providerId: boundedText(maxProviderId),
  })
  .check(
    z.superRefine(({ billControlNumber, providerId }, context) => {
      const issue = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (billControlNumber === '' && providerId === '')
        issue('billControlNumber', 'Error: Enter a Bill Control Number or Provider ID Number');
      if (providerId !== '' && !isDigits(providerId))
        issue('providerId', 'Error: Enter a valid Provider ID Number');
    }),
  );
export type ProvenTin = z.output<typeof provenTinSchema>;
export const noProvenTin: ProvenTin = { ftin: '', billControlNumber: '', providerId: '' };
