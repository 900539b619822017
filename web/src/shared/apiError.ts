import { needsReauthentication, Problem } from '@/api/client';

const tooMany = 429;

/** Converts any error to a Problem. */
export const toProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, '', String(error));

/** Reports whether the user hit a rate limit. The message has the wait time. */
export const isRateLimited = (error: unknown): boolean => toProblem(error).status === tooMany;

/**
 * Returns the error text. Rate limit errors also get the wait time, and missing
 * re-authentication its own message.
 */
export const addRetryTime = (text: string, problem: Problem): string =>
  needsReauthentication(problem)
    ? `Error: ${problem.message}`
    : problem.status === tooMany
      ? `${text} ${problem.message}`
      : text;
