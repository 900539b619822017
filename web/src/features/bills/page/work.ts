import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { isStillOpen } from '@/shared/billWork';
import { summaryKey } from '@/shared/openBillSummary';
import { useMutation } from '@/shared/useMutation';
import { getPageKey } from './queries';

export type Work = components['schemas']['OpenBillWork'];
export type WorkChange = Omit<components['schemas']['OpenBillChange'], 'bills'>;
type Outcome = components['schemas']['OpenBillOutcome'];
type BillWork = components['schemas']['BillWork'];

const getWorkKey = (id: string) => ['bill-work', id];

/** The group's work on a bill. */
export const useBillWork = (id: string) =>
  useQuery({
    queryKey: getWorkKey(id),
    queryFn: ({ signal }) => unwrap(api.GET('/work/bills/{id}/work', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Changes the work on a bill, as Open bills does. */
export function useSetWork(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: WorkChange): Promise<Outcome | undefined> => {
      // Undo runs after other changes, so it uses the version that is stored now.
      const stored = client.getQueryData<BillWork>(getWorkKey(id));
      const bills = [{ id, version: stored?.work.version ?? 0, changed: stored?.changed ?? 0 }];
      try {
        const [outcome] = await unwrap(api.PUT('/work/bills/work', { body: { ...change, bills } }));
        return outcome;
      } catch (error) {
        // Another user was faster. The response has that user's change.
        if (error instanceof Problem && error.status === 409 && Array.isArray(error.body))
          return (error.body as Outcome[])[0];
        throw error;
      }
    },
    onSuccess: (outcome, { marked }) => {
      if (!outcome) return;
      client.setQueryData<BillWork>(
        getWorkKey(id),
        (before) =>
          before && {
            ...before,
            work: ['saved', 'stale'].includes(outcome.outcome) ? outcome.work : before.work,
          },
      );
      if (!isStillOpen(marked, outcome)) return;
      void client.invalidateQueries({ queryKey: getWorkKey(id) });
      void client.invalidateQueries({ queryKey: getPageKey(id) });
    },
    onSettled: () =>
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          ['open bills', summaryKey, 'counts of saved views'].includes(String(queryKey[0])),
      }),
  });
}
