import { z } from 'zod/mini';
import { type Kind, lengthProblem } from './kinds';

/** A text as its kind has it, of whatever length. */
export const normalised = ({ normalise }: Kind) => z.string().check(z.overwrite(normalise));

/** A text of a kind, refused when it is too long. */
export const boundedText = (kind: Kind) =>
  normalised(kind).check(
    z.superRefine((text, context) => {
      const message = lengthProblem(kind, text);
      if (message) context.addIssue({ code: 'custom', message });
    }),
  );
