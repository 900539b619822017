import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useMutation } from '../useMutation';

export type Note = components['schemas']['BillNote'];

export const notesName = 'notes on a bill';
const notesKey = (id: string) => [notesName, id];

/** The group's notes on a page's bill. */
export const useNotes = (id: string, enabled = true) =>
  useQuery({
    queryKey: notesKey(id),
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/work/bills/{id}/notes', { params: { path: { id } }, signal })),
    retry: false,
  });

/** Adds, edits or deletes a note. */
export function useWriteNote(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ note, body }: { note?: number; body: string | null }) => {
      if (note === undefined)
        return unwrap(
          api.POST('/work/bills/{id}/notes', { params: { path: { id } }, body: { body: body ?? '' } }),
        );
      const params = { path: { id, note } };
      return body === null
        ? unwrap(api.DELETE('/work/bills/{id}/notes/{note}', { params }))
        : unwrap(api.PUT('/work/bills/{id}/notes/{note}', { params, body: { body } }));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: notesKey(id) });
      // Open Bills shows the number of notes.
      void client.invalidateQueries({ queryKey: ['open bills'] });
    },
  });
}
