import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useMutation } from '@/shared/useMutation';

export type FailedMail = components['schemas']['FailedMail'];

const failed = ['mails', 'failed'];

/** Emails that failed permanently or are being retried. */
export function useFailedEmails() {
  return useQuery({
    queryKey: failed,
    queryFn: ({ signal }) => unwrap(api.GET('/mails/failed', { signal })),
  });
}

export function useResendMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => unwrap(api.POST('/mails/{id}/resend', { params: { path: { id } } })),
    // The list can change even after an error, because another user may have resent the email.
    onSettled: () => client.invalidateQueries({ queryKey: failed }),
  });
}
