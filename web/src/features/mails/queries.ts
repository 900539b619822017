import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useMutation } from '@/shared/useMutation';

export type FailedMail = components['schemas']['FailedMail'];

const failed = ['mails', 'failed'];

/** Mails that were given up, or are still tried after failing. */
export function useFailedMails() {
  return useQuery({
    queryKey: failed,
    queryFn: ({ signal }) => answer(api.GET('/mails/failed', { signal })),
  });
}

export function useResendMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => answer(api.POST('/mails/{id}/resend', { params: { path: { id } } })),
    retry: false,
    // Whether it worked or not, the list may have changed: somebody else can have sent it again.
    onSettled: () => client.invalidateQueries({ queryKey: failed }),
  });
}
