import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useListMutation } from '@/shared/listMutation';
import { notifyStatusChanged } from '@/shared/statusLine';

export type StatusLine = components['schemas']['StatusLine'];
type NewStatusLine = components['schemas']['NewStatusLine'];

const key = ['status-lines'];

export const useStatusLines = () =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => unwrap(api.GET('/desk/status', { signal })) });

const changed = [key];

export const useAddLine = () =>
  useListMutation(
    changed,
    (body: NewStatusLine) => unwrap(api.POST('/desk/status', { body })),
    notifyStatusChanged,
  );

export const useEndLine = () =>
  useListMutation(
    changed,
    ({ id }: StatusLine) => unwrap(api.DELETE('/desk/status/{id}', { params: { path: { id } } })),
    notifyStatusChanged,
  );
