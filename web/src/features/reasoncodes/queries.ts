import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useListMutation } from '@/shared/listMutation';
import { reasonsKey } from '@/shared/reasons';
import { useMutation } from '@/shared/useMutation';
import { download } from '@/ui/window';

export type DeskCode = components['schemas']['DeskCode'];
export type Wording = components['schemas']['Wording'];
export type ImportResult = components['schemas']['ReasonImport'];

const deskKey = ['reasons', 'desk'];

/** All codes, with the number of bills that have each. */
export const useDesk = () =>
  useQuery({
    queryKey: deskKey,
    queryFn: ({ signal }) => unwrap(api.GET('/codes/desk', { signal })),
  });

type Named = Pick<DeskCode, 'list' | 'code' | 'jurisdiction'>;

const changed = [reasonsKey];

/** The earlier explanations of a code. */
export const useReasonHistory = ({ list, code, jurisdiction }: Named, enabled: boolean) =>
  useQuery({
    queryKey: ['reasons', 'earlier', list, code, jurisdiction],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/codes/{list}/{code}/earlier', {
          params: { path: { list, code }, query: { jurisdiction } },
          signal,
        }),
      ),
    enabled,
    gcTime: 0,
  });

export const useSaveReason = () =>
  useListMutation(changed, ({ list, code, ...body }: { list: string; code: string } & Wording) =>
    unwrap(api.PUT('/codes/{list}/{code}', { params: { path: { list, code } }, body })),
  );

/** Imports a table. Older spreadsheet programs may save it in a legacy character set. */
export const useImport = () =>
  useListMutation(changed, async (file: File) => {
    const bytes = await file.arrayBuffer();
    let csv: string;
    try {
      csv = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      csv = new TextDecoder('windows-1252').decode(bytes);
    }
    return unwrap(api.POST('/codes/import', { body: { csv } }));
  });

export const useExport = () =>
  useMutation({
    mutationFn: async () => {
      const file = await unwrap(api.GET('/codes/export', { parseAs: 'blob' }));
      download(file as unknown as Blob, 'Reasons.csv');
    },
  });
