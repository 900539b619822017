import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, Problem, unwrap } from '@/api/client';
import { getConfig } from '@/api/config';
import type { components } from '@/api/schema';
import { notesName } from '@/shared/billNotes/queries';
import type { Outcome } from '@/shared/billWork';
import { useCursorPages } from '@/shared/cursorPages';
import type { SearchRun } from '@/shared/historyState';
import { summaryKey as summary } from '@/shared/openBillSummary';
import { type View, viewsKey } from '@/shared/savedViews';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { type Criteria, toFilter } from './criteria';
import type { Filter } from './filters';
import { toOrder } from './order';

export type OpenBill = components['schemas']['OpenBill'];
export type Work = components['schemas']['OpenBillWork'];
export type Sum = components['schemas']['OpenBillSum'];
export type Change = Omit<components['schemas']['OpenBillChange'], 'bills'>;
export type ViewText = components['schemas']['SavedViewText'];
export type Definition = components['schemas']['ViewDefinition'];
export type AssignmentLoss = components['schemas']['LostAssignment'];
export type ExportFile = components['schemas']['OpenBillExport'];

const list = 'open bills';
const viewCounts = 'counts of saved views';
const losses = 'lost assignments';
const files = 'files of open bills';

export const useOpenBills = (
  { criteria, run }: SearchRun<Criteria>,
  { page, pageSize, sort }: TableState,
) => {
  const order = toOrder(sort);
  return useCursorPages<components['schemas']['OpenBills'], string>({
    name: list,
    search: JSON.stringify([criteria, run, pageSize, order]),
    page,
    pageSize,
    fetchPage: ({ after, skip, rows }, signal) =>
      unwrap(
        api.POST('/work/bills/search', {
          body: { filter: toFilter(criteria), ...(after && { after }), skip, limit: rows, order },
          signal,
        }),
      ),
    getEnd: ({ next }) => next || undefined,
  });
};

export const useSummary = (filter: Filter, run: number) =>
  useQuery({
    queryKey: [summary, filter, run],
    queryFn: ({ signal }) => unwrap(api.POST('/work/bills/summary', { body: filter, signal })),
    placeholderData: (before) => before,
    retry: false,
  });

/** Refetches the list and everything that counts it. */
export function useRefetch() {
  const client = useQueryClient();
  return () =>
    void client.refetchQueries({
      type: 'active',
      predicate: ({ queryKey }) => [list, summary, viewCounts].includes(String(queryKey[0])),
    });
}

/** Changes the work on bills and returns a result for each. */
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
        return await unwrap(
          api.PUT('/work/bills/work', {
            body: {
              ...change,
              bills: bills.map(({ id, work, changed }) => ({ id, version: work.version, changed })),
            },
          }),
        );
      } catch (error) {
        // Another user was faster with all of them. The response has that user's changes.
        if (error instanceof Problem && error.status === 409 && Array.isArray(error.body))
          return error.body as Outcome[];
        throw error;
      }
    },
    onSettled: () =>
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          [list, summary, viewCounts, losses, notesName].includes(String(queryKey[0])),
      }),
  });
}

/** The current number of bills in each pinned view. */
export const useViewCounts = (views: readonly View[], run: number) =>
  useQuery({
    queryKey: [viewCounts, views.map(({ id, version }) => `${id} ${version}`), run],
    enabled: views.length > 0,
    queryFn: async ({ signal }) =>
      new Map(
        (await unwrap(api.GET('/work/views/counts', { signal }))).map(
          ({ id, bills }) => [id, bills] as const,
        ),
      ),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
    retry: false,
  });

/** The payers with a suggested view. */
export const usePayers = () =>
  useQuery({
    queryKey: ['payers of open bills'],
    queryFn: ({ signal }) => unwrap(api.GET('/work/views/payers', { signal })),
    staleTime: 60_000,
    retry: false,
  });

/** Returns another user's version of a view, if that user saved first. */
export const getStoredView = (error: unknown): View | null =>
  error instanceof Problem && error.status === 409 && error.body !== null ? (error.body as View) : null;

/** A view to save. Without an ID it's a new one. */
export interface ViewToSave extends ViewText {
  id?: string;
  version?: number;
  position?: number;
}

export function useSaveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version = 0, position = 0, ...text }: ViewToSave): Promise<View> =>
      id
        ? unwrap(
            api.PUT('/work/views/{id}', { params: { path: { id } }, body: { ...text, version, position } }),
          )
        : unwrap(api.POST('/work/views', { body: text })),
    onSettled: () => client.invalidateQueries({ queryKey: [viewsKey] }),
  });
}

export function useRemoveView() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/work/views/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: [viewsKey] }),
  });
}

/** The users who lost bills with a Tax ID, for those who reassign them. */
export const useUnassigned = (enabled: boolean) =>
  useQuery({
    queryKey: [losses],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/work/lost-assignments', { signal })),
    staleTime: 30_000,
    retry: false,
  });

export function useDismissAlert() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      unwrap(api.DELETE('/work/lost-assignments/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: [losses] }),
  });
}

// The maximum number of bills in a file.
export const maxExported = 20_000;

export function useExport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['OpenBillExportText']) =>
      unwrap(api.POST('/work/bills/export', { body })),
    onSettled: () => client.invalidateQueries({ queryKey: [files] }),
  });
}

// How often the progress is requested, in milliseconds.
const pollInterval = 1_000;

/** The user's files of open bills, newest first. */
export const useFiles = () =>
  useQuery({
    queryKey: [files],
    queryFn: ({ signal }) => unwrap(api.GET('/work/exports', { signal })),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting') ? pollInterval : false,
    retry: false,
  });

export function useRemoveFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => unwrap(api.DELETE('/work/exports/{id}', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: [files] }),
  });
}

export const getFileUrl = (id: string, format: 'xlsx' | 'csv') =>
  `${getConfig().apiUrl}/work/exports/${encodeURIComponent(id)}/result.${format}`;
