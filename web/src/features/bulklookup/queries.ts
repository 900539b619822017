import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, Problem, unwrap } from '@/api/client';
import { getConfig } from '@/api/config';
import type { components } from '@/api/schema';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { useServerPage } from '@/shared/pages';
import { sendFile, useFileUpload } from '@/shared/useFileUpload';
import { useMutation } from '@/shared/useMutation';
import { retrievalError } from '@/ui/PageState';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';
import { type Criteria, getLines, type Search } from './criteria';
import { toCsv } from './paste';

export type Answered = components['schemas']['LookupAnswer'];
export type Line = Answered['lines'][number];
export type Found = Line['bills'][number];
export type Job = components['schemas']['LookupJob'];
export type ClaimPage = components['schemas']['ClaimPage'];
export type Claim = ClaimPage['rows'][number];
export type Outcome = Claim['outcome'];
type SentFile = components['schemas']['LookupFile'];

const missing = 404;
const tooLarge = 413;
const tooMany = 429;

/** Returns the server's advice on an error, or else a general message. */
export function formatFailure(error: Error, failed = retrievalError): string {
  const problem = toProblem(error);
  const { status, message } = problem;
  return status >= 400 && status < 500 && status !== tooMany ? message : addRetryTime(failed, problem);
}

/** Reports whether there are too many lines for a direct answer. A file has no such limit. */
export const isTooMany = (error: Error): boolean =>
  error instanceof Problem && (error.status === tooLarge || error.fields.some(({ path }) => path === 'rows'));

// This many lines are enough to detect the columns.
const samples = 20;

/** Detects the column types from the first lines. */
export const useReadColumns = () =>
  useMutation({
    mutationFn: (lines: readonly string[][]) =>
      unwrap(api.POST('/work/findMany/columns', { body: { rows: lines.slice(0, samples) } })),
    networkMode: 'always',
  });

const toBody = ({ list, columns, headerRows }: Criteria) => ({
  columns: columns.map(({ index, kind }) => ({ index, kind })),
  headerRows,
  rows: getLines(list),
});

// Milliseconds. Each lookup counts toward the group's daily limit, so returning from a bill must
// not repeat it.
const cacheTime = 15 * 60_000;

/** The results for a pasted list. */
export const useFindMany = (criteria: Criteria | null) =>
  useQuery({
    queryKey: ['bulk-lookup', 'answers', criteria?.asked],
    enabled: criteria !== null && criteria.list.from === 'paste' && criteria.asked > 0,
    queryFn: ({ signal }) =>
      unwrap(api.POST('/work/findMany', { body: toBody(criteria as Criteria), signal })),
    // Users decide when to search again, even without a connection.
    retry: false,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: cacheTime,
    refetchOnReconnect: false,
  });

/** Saves the results next to the office's own columns. */
export const useExport = () =>
  useMutation({
    mutationFn: async ({ criteria, format }: { criteria: Criteria; format: 'xlsx' | 'csv' }) => {
      const file = await unwrap(
        api.POST('/work/findMany/export', { body: { ...toBody(criteria), format }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `Bulk lookup.${format}`);
    },
  });

const jobsKey = ['bulk-lookup', 'jobs'];

const filesPath = '/work/findMany/files';

/** Sends a file and reports the progress. It ends with the screen. An 837 is looked up right away. */
export function useSendFile() {
  const client = useQueryClient();
  const { send, ...state } = useFileUpload<SentFile>(filesPath);
  return {
    ...state,
    send: (file: File, onRead: (search: Search) => void) =>
      send(file, async ({ id, rows, sample, warnings, columns, headerRows, claims }, signal) => {
        void client.invalidateQueries({ queryKey: jobsKey });
        if (claims) {
          await startJob(id, [], 0);
          await client.invalidateQueries({ queryKey: jobsKey });
          if (!signal.aborted) onRead({ claims: { id, name: file.name } });
          return;
        }
        onRead({
          list: {
            from: 'file',
            id,
            name: file.name,
            lines: rows + headerRows,
            sample: sample.map((cells) => cells ?? []),
            warnings,
          },
          columns,
          headerRows,
          asked: 0,
        });
      }),
  };
}

const startJob = (id: string, columns: Criteria['columns'], headerRows: number) =>
  unwrap(
    api.POST('/work/findMany/files/{id}/run', {
      params: { path: { id } },
      body: { columns: columns.map(({ index, kind }) => ({ index, kind })), headerRows },
    }),
  );

/**
 * Looks up a file's lines in the background. A pasted list becomes a file first, and another try
 * uses the same file.
 */
export function useRunFile() {
  const client = useQueryClient();
  const uploaded = useRef<{ csv: string; id: string } | null>(null);
  const uploadList = async (csv: string) => {
    if (uploaded.current?.csv !== csv) {
      const file = new File([csv], 'Pasted list.csv', { type: 'text/csv' });
      const watch = { signal: new AbortController().signal, onProgress: () => {} };
      const { id } = await sendFile<SentFile>(filesPath, file, watch);
      uploaded.current = { csv, id };
    }
    return uploaded.current.id;
  };
  return useMutation({
    mutationFn: async ({ list, columns, headerRows }: Criteria) => {
      const id = list.from === 'file' ? list.id : await uploadList(toCsv(getLines(list)));
      await startJob(id, columns, headerRows);
    },
    networkMode: 'always',
    onSettled: (_, error) => {
      if (!error || toProblem(error).status === missing) uploaded.current = null;
      return client.invalidateQueries({ queryKey: jobsKey });
    },
  });
}

// How often the progress is requested, in milliseconds.
const pollInterval = 2_000;

/** Reports whether a file's lookup was started. */
export const isStarted = ({ status }: Job) => status !== 'sent';

export const isRunning = ({ status }: Job) => status === 'waiting';

/** The user's files, newest first. */
export const useJobs = () =>
  useQuery({
    queryKey: jobsKey,
    queryFn: ({ signal }) => unwrap(api.GET('/work/findMany/jobs', { signal })),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? pollInterval : false),
  });

/** One of the user's lookups. */
export const useJob = (id: string) =>
  useQuery({
    queryKey: [...jobsKey, id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/work/findMany/jobs/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollInterval / 2 : false),
    retry: false,
  });

/** A page of the bills of an 837. */
export function useClaims(id: string, table: TableState) {
  const query = useServerPage<Claim>({
    key: ['bulk-lookup', 'claims', id],
    table,
    fetchPage: ({ page, pageSize, filters }, signal) =>
      unwrap(
        api.GET('/work/findMany/jobs/{id}/claims', {
          params: { path: { id }, query: { page, pageSize, ...(filters as { outcome?: Outcome }) } },
          signal,
        }),
      ),
  });
  return { ...query, data: query.data as ClaimPage | undefined };
}

export function useDeleteJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/work/findMany/jobs/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: jobsKey }),
  });
}

/** The address of a file's results. */
export const getResultUrl = (id: string, format: 'xlsx' | 'csv') =>
  `${getConfig().apiUrl}/work/findMany/jobs/${encodeURIComponent(id)}/result.${format}`;
