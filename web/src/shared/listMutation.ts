import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMutation } from './useMutation';

/**
 * A mutation that changes lists. They refetch even after an error, because another user may have
 * been faster. It's never retried automatically.
 */
export function useListMutation<Change, Answer>(
  keys: readonly QueryKey[],
  mutationFn: (change: Change) => Promise<Answer>,
  onSuccess?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess,
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
