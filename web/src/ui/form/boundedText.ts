import { z } from 'zod/mini';
import { findLengthProblem, type Kind } from './kinds';

/** A text normalized by its kind, of any length. */
export const normalizedText = ({ normalize }: Kind) => z.string().check(z.overwrite(normalize));

/** A text of a kind. It fails validation if it's too long. */
export const boundedText = (kind: Kind) =>
  normalizedText(kind).check(
    z.superRefine((text, context) => {
      const message = findLengthProblem(kind, text);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  );
