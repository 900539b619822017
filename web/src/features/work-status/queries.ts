import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { tellStatusChanged } from '@/shared/statusLine';

export type StatusLine = components['schemas']['StatusLine'];
type NewStatusLine = components['schemas']['NewStatusLine'];

const key = ['status-lines'];

export const useStatusLines = () =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => answer(api.GET('/desk/status', { signal })) });

/** Changes what is shown; the line of this page is asked for at once. */
function useChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    retry: false,
    onSuccess: tellStatusChanged,
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}

export const useAddLine = () =>
  useChange((body: NewStatusLine) => answer(api.POST('/desk/status', { body })));

export const useEndLine = () =>
  useChange(({ id }: StatusLine) => answer(api.DELETE('/desk/status/{id}', { params: { path: { id } } })));
