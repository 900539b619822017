import { Problem } from '@/api/client';

const tooMany = 429;

/** Why a call did not succeed. */
export const refusal = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, '', String(error));

/** The text of a failure; who has tried too often is told for how long to wait. */
export const withWait = (text: string, { status, message }: Problem): string =>
  status === tooMany ? `${text} ${message}` : text;
