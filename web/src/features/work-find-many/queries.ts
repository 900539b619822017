import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { refusal, withWait } from '@/shared/refusal';
import { retrievalError } from '@/ui/PageState';
import { type Criteria, linesOf } from './criteria';

export type Column = components['schemas']['LookupColumn'];
export type Kind = Column['kind'];
export type Answered = components['schemas']['LookupAnswer'];
export type Line = Answered['lines'][number];
export type Found = Line['bills'][number];

const badInput = 400;
const tooLarge = 413;

/** What is told of a failure: what a person can mend, else that it failed. */
export function failureOf(error: Error, failed = retrievalError): string {
  const problem = refusal(error);
  return problem.status === badInput || problem.status === tooLarge
    ? problem.message
    : withWait(failed, problem);
}

// So many lines are enough to read the columns by.
const samples = 20;

/** Which column is what, read from the first lines. */
export const useReadColumns = () =>
  useMutation({
    mutationFn: (lines: readonly string[][]) =>
      answer(api.POST('/work/findMany/columns', { body: { rows: lines.slice(0, samples) } })),
    retry: false,
    networkMode: 'always',
  });

const bodyOf = ({ list, columns, headerRows }: Criteria) => ({
  columns: columns.map(({ index, kind }) => ({ index, kind })),
  headerRows,
  rows: linesOf(list),
});

// Each answer counts for the day of the group: on the way back from a bill it is still there.
const keptFor = 15 * 60_000;

/** The answers to a pasted list. */
export const useFindMany = (criteria: Criteria | null) =>
  useQuery({
    queryKey: ['work-find-many', 'answers', criteria?.asked],
    enabled: criteria !== null && criteria.list.from === 'paste' && criteria.asked > 0,
    queryFn: ({ signal }) =>
      answer(api.POST('/work/findMany', { body: bodyOf(criteria as Criteria), signal })),
    // A person decides when to ask again, also without a connection.
    retry: false,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptFor,
    refetchOnReconnect: false,
  });
