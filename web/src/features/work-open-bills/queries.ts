import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, Problem } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import type { Run } from '@/shared/keptSearch';
import { usePlacedPages } from '@/shared/placedPages';
import type { TableState } from '@/ui/table/state';
import { type Criteria, type Filter, filterOf } from './criteria';

export type OpenBill = components['schemas']['OpenBill'];
export type Work = components['schemas']['OpenBillWork'];
export type Sum = components['schemas']['OpenBillSum'];
export type Note = components['schemas']['BillNote'];
export type Change = Omit<components['schemas']['OpenBillChange'], 'bills'>;
export type Outcome = components['schemas']['OpenBillOutcome'];

// So many bills are answered at once.
const mostAsked = 200;

const list = 'open bills';
const summary = 'open bills in all';

export const useOpenBills = ({ criteria, run }: Run<Criteria>, { page, pageSize }: TableState) =>
  usePlacedPages<components['schemas']['OpenBills'], string>({
    name: list,
    of: JSON.stringify([criteria, run, pageSize]),
    page,
    pageSize,
    ask: ({ after, skip }, signal) =>
      answer(
        api.POST('/work/bills/search', {
          body: { filter: filterOf(criteria), ...(after && { after }), skip, limit: pageSize },
          signal,
        }),
      ),
    end: ({ next }) => next || undefined,
  });

/** All that a filter leaves, part after part. */
export async function* allOpenBills(criteria: Criteria): AsyncGenerator<readonly OpenBill[]> {
  let after = '';
  do {
    const { bills, next } = await answer(
      api.POST('/work/bills/search', {
        body: { filter: filterOf(criteria), ...(after && { after }), limit: mostAsked },
      }),
    );
    yield bills;
    after = next;
  } while (after);
}

export const useSummary = (filter: Filter, run: number) =>
  useQuery({
    queryKey: [summary, filter, run],
    queryFn: ({ signal }) => answer(api.POST('/work/bills/summary', { body: filter, signal })),
    placeholderData: (before) => before,
    retry: false,
  });

/** Those to whom bills can be assigned; nobody for who has no group's work. */
export function usePeople() {
  const { can } = useSession();
  return useQuery({
    queryKey: ['people of the group'],
    enabled: can('work.notes'),
    queryFn: ({ signal }) => answer(api.GET('/work/people', { signal })),
    staleTime: 60_000,
  });
}

/** Changes the work about bills, and answers what became of each. */
export function useSetWork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({
      bills,
      change,
    }: {
      bills: readonly OpenBill[];
      change: Change;
    }): Promise<Outcome[]> => {
      try {
        return await answer(
          api.PUT('/work/bills/work', {
            body: {
              ...change,
              bills: bills.map(({ id, work, changed }) => ({ id, version: work.version, changed })),
            },
          }),
        );
      } catch (error) {
        // Somebody else was faster with all of them: the answer tells what they did.
        if (error instanceof Problem && error.status === 409 && Array.isArray(error.body))
          return error.body as Outcome[];
        throw error;
      }
    },
    onSettled: () =>
      void client.invalidateQueries({
        predicate: ({ queryKey }) => [list, summary].includes(String(queryKey[0])),
      }),
  });
}

const notesKey = (id: string) => ['notes on a bill', id];

export const useNotes = (id: string) =>
  useQuery({
    queryKey: notesKey(id),
    queryFn: ({ signal }) => answer(api.GET('/work/bills/{id}/notes', { params: { path: { id } }, signal })),
    retry: false,
  });

export function useWriteNote(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ note, body }: { note?: number; body: string | null }) => {
      if (note === undefined)
        return answer(
          api.POST('/work/bills/{id}/notes', { params: { path: { id } }, body: { body: body ?? '' } }),
        );
      const params = { path: { id, note } };
      return body === null
        ? answer(api.DELETE('/work/bills/{id}/notes/{note}', { params }))
        : answer(api.PUT('/work/bills/{id}/notes/{note}', { params, body: { body } }));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: notesKey(id) });
      void client.invalidateQueries({ queryKey: [list] });
    },
  });
}
