import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import type { SearchRun } from '@/shared/historyState';
import { useServerPage } from '@/shared/pages';
import { toast } from '@/ui/Toasts';
import type { TableState } from '@/ui/table/state';
import type { Searched } from './criteria';

/** A rate code in the table. The same one can appear for several locations. */
export type RateCode = components['schemas']['RateCodeRow'] & { key: string };

/** A finished fee schedule. */
export type File = components['schemas']['FeeScheduleRequest'];

export interface Files {
  successCount: number;
  feeSchedList: File[];
}

export function useRateCodes(search: SearchRun<Searched> | null, table: TableState) {
  return useServerPage<RateCode>({
    key: ['feeschedules', 'rate-codes', search],
    table,
    enabled: search !== null,
    once: true,
    fetchPage: async (table, signal) => {
      const { lob, providerId, tin } = (search as SearchRun<Searched>).criteria;
      const { rows, count } = await unwrap(
        api.POST('/feeSchedule/rateCodes/page', { body: { lob, providerId, tin, table }, signal }),
      );
      return { rows: rows.map((code) => ({ ...code, key: getKey(code) })), count };
    },
  });
}

const getKey = ({ nationalRateCd, provLctnName, lctnZipCd }: components['schemas']['RateCodeRow']) =>
  JSON.stringify([nationalRateCd, provLctnName, lctnZipCd]);

const filesKey = (userName: string) => ['feeschedules', 'files', userName];

/**
 * The acting user's fee schedules: from the session at first, then from their own request. Off
 * while mirroring.
 */
export function useFiles() {
  const { actingUser, mirroredUser } = useSession();
  const user = actingUser.userNm;
  return useQuery({
    queryKey: filesKey(user),
    enabled: !mirroredUser,
    initialData: (): Files => ({
      successCount: actingUser.feeSchedRqstsCnt,
      feeSchedList: actingUser.feeSchedRqsts,
    }),
    queryFn: ({ signal }): Promise<Files> =>
      unwrap(api.GET('/feeSchedule/getUserFeeSchedRequests/{user}', { params: { path: { user } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Refetches the fee schedules. */
export function useRefreshFiles() {
  const { actingUser } = useSession();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: filesKey(actingUser.userNm) });
}

/** Marks all of the acting user's fee schedules as viewed; undefined while mirroring. */
export function useViewFiles() {
  const { actingUser, mirroredUser } = useSession();
  const refresh = useRefreshFiles();
  if (mirroredUser) return;
  const params = { path: { user: actingUser.userNm } };
  return () =>
    void api
      .PATCH('/feeSchedule/viewed/{user}', { params })
      .then(refresh, () => toast.error("Couldn't mark them as viewed. Try again."));
}

// An empty path segment is sent as a hyphen.
const segment = (text: string) => text.trim() || '-';

/** A rate code and the criteria that found it. */
export interface FileRequest {
  code: RateCode;
  searched: Pick<Searched, 'tin' | 'lob'>;
}

/** The requests that create a fee schedule. */
export function useFeeScheduleRequests() {
  const { actingUser } = useSession();
  const client = useQueryClient();
  const user = actingUser.userNm;
  return {
    submit: ({ code, searched: { tin, lob } }: FileRequest) =>
      unwrap(
        api.POST('/feeSchedule/addFeeSchedRequest/{user}/{rateCode}/{providerId}/{name}/{zip}', {
          params: {
            path: {
              user,
              rateCode: code.nationalRateCd,
              providerId: code.cpdProvId,
              name: segment(code.provLctnName),
              zip: segment(code.lctnZipCd),
            },
            query: { tin, lob },
          },
        }),
      ),
    connect: (feeSchedRqstId: number, signal: AbortSignal) =>
      unwrap(
        api.GET('/feeSchedule/submitFeeScheduleAndNotify', {
          params: { query: { userName: user, feeSchedRqstId } },
          parseAs: 'stream',
          signal,
        }) as Promise<{ data?: ReadableStream<Uint8Array> }>,
      ),
    /** Shows these fee schedules everywhere. */
    async show(files: Files) {
      await client.cancelQueries({ queryKey: filesKey(user) });
      client.setQueryData(filesKey(user), files);
    },
  };
}
