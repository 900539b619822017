import { isUnproven, Problem } from '@/api/client';

const tooMany = 429;

/** Why a call did not succeed. */
export const refusal = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, '', String(error));

/** Whether the person did something too often: the message says how long to wait. */
export const isLimit = (error: unknown): boolean => refusal(error).status === tooMany;

/** The text of a failure; who has tried too often is told for how long to wait, who did not show who they are that. */
export const withWait = (text: string, problem: Problem): string =>
  isUnproven(problem)
    ? `Error: ${problem.message}`
    : problem.status === tooMany
      ? `${text} ${problem.message}`
      : text;
