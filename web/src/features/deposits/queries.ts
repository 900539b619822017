import { skipToken, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { depositsKept } from '@/shared/depositSum';
import { useFileUpload } from '@/shared/useFileUpload';
import { useMutation } from '@/shared/useMutation';
import { retrievalError } from '@/ui/PageState';
import { download } from '@/ui/window';
import { type Matched, type Remittance, replacePosted } from './answers';
import type { Criteria } from './criteria';

type ReadList = components['schemas']['DepositList'];

/** The bank's list. It stays in this tab's memory. */
export interface List {
  name: string;
  /** The pasted text, to change it. */
  text: string;
  rows: string[][];
  /** Parts of the file that weren't read. */
  warnings: string[];
}

const tooMany = 429;

/** Returns the server's advice on an error, or else a general message. */
export function formatFailure(error: Error, failed = retrievalError): string {
  const problem = toProblem(error);
  const { status, message } = problem;
  return status >= 400 && status < 500 && status !== tooMany ? message : addRetryTime(failed, problem);
}

const listKey = (id: number) => ['deposits', 'list', id];

/** The list of the criteria; undefined after a reload. */
export const useList = (criteria: Criteria | null) =>
  useQuery<List>({ queryKey: listKey(criteria?.list ?? 0), queryFn: skipToken, gcTime: depositsKept }).data;

/** Reads a file, or pasted text, on the server, which stores nothing. */
export function useReadList() {
  const client = useQueryClient();
  const { send, ...state } = useFileUpload<ReadList>('/work/deposits/read');
  return {
    ...state,
    send: (file: File, text: string, onRead: (criteria: Criteria) => void) =>
      send(file, ({ rows, columns, headerRows, warnings }) => {
        const id = Date.now();
        const list: List = { name: file.name, text, rows: rows.map((cells) => cells ?? []), warnings };
        client.setQueryDefaults(listKey(id), { gcTime: depositsKept });
        client.setQueryData(listKey(id), list);
        onRead({ list: id, columns, headerRows, asked: 0 });
      }),
  };
}

const toBody = ({ columns, headerRows }: Criteria, { rows }: List) => ({
  columns: columns.map(({ index, kind }) => ({ index, kind })),
  headerRows,
  rows,
});

const resultKey = (criteria: Criteria | null) => ['deposits', 'result', criteria?.list, criteria?.asked];

/** The list's matches. */
export const useMatches = (criteria: Criteria | null, list: List | undefined): UseQueryResult<Matched> =>
  useQuery({
    queryKey: resultKey(criteria),
    enabled: criteria !== null && list !== undefined && criteria.asked > 0,
    queryFn: ({ signal }) =>
      unwrap(api.POST('/work/deposits', { body: toBody(criteria as Criteria, list as List), signal })),
    // Users decide when to match again, even without a connection.
    retry: false,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: depositsKept,
    refetchOnReconnect: false,
  });

/** Saves the matches next to the list's own columns. */
export const useExport = () =>
  useMutation({
    mutationFn: async ({
      criteria,
      list,
      format,
    }: {
      criteria: Criteria;
      list: List;
      format: 'xlsx' | 'csv';
    }) => {
      const file = await unwrap(
        api.POST('/work/deposits/export', { body: { ...toBody(criteria, list), format }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `Matched deposits.${format}`);
    },
  });

/** Reports whether the user's group has posted statuses. Users who mirror can't change them. */
export function useCanPost(): boolean {
  const { can, mirroredUser } = useSession();
  return can('remittances.post') && !mirroredUser;
}

// The server's limit per request.
const perRequest = 200;

/** What became of marking remittances. */
export interface Marked {
  /** Marked as they were matched. */
  done: Remittance[];
  /** Marked with the matched amounts, but they changed since. */
  changed: Remittance[];
  /** Not marked, with the reason. */
  failed: Remittance[];
  problem?: Error;
}

/** Sets or removes the group's posted status on each remittance, with the content that was matched. */
export function usePost(criteria: Criteria) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ rows, posted }: { rows: Remittance[]; posted: boolean }): Promise<Marked> => {
      const marked: Marked = { done: [], changed: [], failed: [] };
      for (let from = 0; from < rows.length; from += perRequest) {
        const part = rows.slice(from, from + perRequest);
        try {
          const statuses = await unwrap(
            api.PUT('/remittancePosts', {
              body: {
                ids: part.map(({ id }) => id),
                seen: posted ? part.map(({ content }) => content) : undefined,
                posted,
              },
            }),
          );
          const now = new Map(part.map(({ id }, at) => [id, statuses[at]?.posted] as const));
          client.setQueryData(
            resultKey(criteria),
            (result: Matched | undefined) => result && replacePosted(result, now),
          );
          for (const row of part) {
            const state = now.get(row.id)?.state;
            (posted && state !== 'posted' ? marked.changed : marked.done).push(row);
          }
        } catch (problem) {
          marked.failed.push(...part);
          marked.problem = problem as Error;
        }
      }
      return marked;
    },
  });
}
