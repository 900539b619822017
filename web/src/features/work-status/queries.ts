import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useChange } from '@/shared/changing';
import { tellStatusChanged } from '@/shared/statusLine';

export type StatusLine = components['schemas']['StatusLine'];
type NewStatusLine = components['schemas']['NewStatusLine'];

const key = ['status-lines'];

export const useStatusLines = () =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => answer(api.GET('/desk/status', { signal })) });

const changed = [key];

export const useAddLine = () =>
  useChange(changed, (body: NewStatusLine) => answer(api.POST('/desk/status', { body })), tellStatusChanged);

export const useEndLine = () =>
  useChange(
    changed,
    ({ id }: StatusLine) => answer(api.DELETE('/desk/status/{id}', { params: { path: { id } } })),
    tellStatusChanged,
  );
