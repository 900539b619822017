import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { upload } from '@/api/upload';
import { toProblem } from '@/shared/apiError';
import { useListMutation } from '@/shared/listMutation';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';
import { download } from '@/ui/window';

export type Source = components['schemas']['FeedSource'];
export type SourceEdit = components['schemas']['FeedSourceEdit'];
export type FeedFile = components['schemas']['FeedFile'];
export type Quality = components['schemas']['FeedQuality'];
export type Measure = components['schemas']['FeedMeasure'];
export type Share = components['schemas']['FeedShare'];

const sourcesKey = ['feed-sources'];
const filesKey = ['feed-files'];

/** The sources with their status, refetched each minute because lateness changes over time. */
export const useSources = () =>
  useQuery({
    queryKey: sourcesKey,
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/sources', { signal })),
    refetchInterval: 60_000,
  });

export interface FileFilter {
  /** Files from the last days. */
  days: number;
  /** Files of one source, or of all (0). */
  sourceId: number;
  /** Only files with problems. If undefined, they are shown if there are any. */
  problems?: boolean;
}

/** A page of files, and whether it has only those with problems. */
export function useFiles({ days, sourceId, problems }: FileFilter, table: TableState) {
  const first = useQuery({
    queryKey: [...filesKey, 'problems', days, sourceId],
    enabled: problems === undefined,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/desk/feeds/files/page', {
          body: { days, sourceId, problems: true, table: { page: 0, pageSize: 1, filters: {} } },
          signal,
        }),
      ),
  });
  const isKnown = problems !== undefined || !first.isPending;
  const problemsOnly = problems ?? (first.data?.count ?? 0) > 0;
  const filter = { days, sourceId, problems: problemsOnly };
  const { shown } = useServerPage<FeedFile>({
    key: [...filesKey, filter],
    table,
    enabled: isKnown,
    fetchPage: (table, signal) =>
      unwrap(api.POST('/desk/feeds/files/page', { body: { ...filter, table }, signal })),
  });
  return { problemsOnly, shown: isKnown ? shown : { ...shown, status: 'loading' as const } };
}

/** One file and its problems. It refetches while the file is being imported. */
export function useFile(id: number) {
  const client = useQueryClient();
  const file = useQuery({
    queryKey: ['feed-file', id],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/files/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data && !data.endedAt ? 1000 : false),
  });
  const ended = file.data?.endedAt;
  useEffect(() => {
    if (ended) for (const queryKey of [filesKey, sourcesKey]) void client.invalidateQueries({ queryKey });
  }, [client, ended]);
  return file;
}

const changed = [filesKey, sourcesKey];

/** Updates a source, or adds one without an ID. */
export const useSaveSource = () =>
  useListMutation(changed, ({ id, body }: { id?: number; body: SourceEdit }) =>
    id === undefined
      ? unwrap(api.POST('/desk/feeds/sources', { body }))
      : unwrap(api.PUT('/desk/feeds/sources/{id}', { params: { path: { id } }, body })),
  );

export const useDeleteSource = () =>
  useListMutation(changed, (id: number) =>
    unwrap(api.DELETE('/desk/feeds/sources/{id}', { params: { path: { id } } })),
  );

export const useReimport = () =>
  useListMutation(changed, (id: number) =>
    unwrap(api.POST('/desk/feeds/files/{id}/again', { params: { path: { id } } })),
  );

/** The files of a kind, of a source, or all. */
export interface QualityScope {
  kind: string;
  sourceId: number;
}

/** Each measure over 90 days, refetched while the server adds up the days. */
export const useQuality = (of: QualityScope) =>
  useQuery({
    queryKey: ['feed-quality', of.kind, of.sourceId],
    queryFn: ({ signal }) => unwrap(api.GET('/desk/feeds/quality', { params: { query: of }, signal })),
    refetchInterval: 5 * 60_000,
    placeholderData: keepPreviousData,
  });

/** A day's files with the lowest share for a measure. */
export const useWorstFiles = (of: QualityScope, measure: string, day: string) =>
  useQuery({
    queryKey: ['feed-quality-files', of.kind, of.sourceId, measure, day],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/desk/feeds/quality/files', { params: { query: { ...of, measure, day } }, signal })),
  });

export const useDays = () =>
  useMutation({
    mutationFn: async (of: QualityScope) => {
      const file = await unwrap(
        api.GET('/desk/feeds/quality/days', { params: { query: of }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, 'Data quality by day.csv');
    },
  });

export const useErrorLocations = () =>
  useMutation({
    mutationFn: async (id: number) => {
      const file = await unwrap(
        api.GET('/desk/feeds/files/{id}/places', { params: { path: { id } }, parseAs: 'blob' }),
      );
      download(file as unknown as Blob, `Problems of file ${id}.csv`);
    },
  });

/** An upload's progress. */
export type UploadState =
  | { step: 'none' }
  | { step: 'sending'; sent: number; total: number }
  | { step: 'failed'; message: string };

/** Sends one file at a time, to import or only validate. It ends with the screen. */
export function useUpload(onBrought: (file: FeedFile) => void) {
  const client = useQueryClient();
  const [bringing, setBringing] = useState<UploadState>({ step: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    bringing,
    stop: () => running.current?.abort(),
    clear: () => setBringing({ step: 'none' }),
    async bring(file: File, checkOnly: boolean) {
      if (running.current) return; // a second click
      const leaving = new AbortController();
      running.current = leaving;
      setBringing({ step: 'sending', sent: 0, total: file.size });
      const form = new FormData();
      form.set('check', String(checkOnly)); // must come before the file, so that the server reads it first
      form.set('file', file);
      try {
        const brought = await upload<FeedFile>('/desk/feeds/upload', form, {
          signal: leaving.signal,
          onProgress: (sent, total) => setBringing({ step: 'sending', sent, total }),
        });
        setBringing({ step: 'none' });
        void client.invalidateQueries({ queryKey: filesKey });
        onBrought(brought);
      } catch (error) {
        setBringing({
          step: 'failed',
          message: leaving.signal.aborted ? "Upload stopped. The file wasn't stored." : formatError(error),
        });
      }
      running.current = null;
    },
  };
}

/** Returns an error's message. */
export function formatError(error: unknown): string {
  const { status, message } = toProblem(error);
  return status === 0 || status >= 500
    ? "Error: The portal didn't respond. Check the list for the file, then try again."
    : `Error: ${message}`;
}
