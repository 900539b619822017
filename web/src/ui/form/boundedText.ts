import { z } from 'zod/mini';
import { normaliseText } from '../text';

/** A text of at most so many characters, told without the spaces around it. */
export const boundedText = (most: number) => z.string().check(z.maxLength(most), z.overwrite(normaliseText));
