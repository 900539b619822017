import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import type { Outcome } from '../billWork';
import { summaryKey } from '../openBillSummary';
import { useMutation } from '../useMutation';

export type PayerCall = components['schemas']['PayerCall'];
export type CallText = components['schemas']['PayerCallText'];
type Logged = components['schemas']['LoggedPayerCall'];

/** A bill that a call can be about. */
export interface CallBill {
  /** The ID of its page. */
  id: string;
  billControlNumber: string;
  payerName: string;
  work: { version: number };
}

const callsName = 'payer calls';

/** The group's calls to payers about a bill, newest first. */
export const usePayerCalls = (id: string, enabled = true) =>
  useQuery({
    queryKey: [callsName, id],
    enabled,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/work/bills/{id}/payer-calls', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Logs a call. It returns the bills because of which nothing was logged; none if it was. */
export function useLogCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: CallText): Promise<Outcome[]> => {
      try {
        return (await unwrap(api.POST('/work/payer-calls', { body }))).failed;
      } catch (error) {
        // Another user was faster. The response has that user's changes.
        const failed = error instanceof Problem && (error.body as Partial<Logged> | null)?.failed;
        if (failed) return failed;
        throw error;
      }
    },
    onSettled: () =>
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          [callsName, 'open bills', summaryKey, 'counts of saved views', 'bill-work'].includes(
            String(queryKey[0]),
          ),
      }),
  });
}
