import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMutation } from './useMutation';

/**
 * A call that changes what lists show. Whether it worked or not they are read anew: somebody else may have been faster.
 * It is not tried again by itself.
 */
export function useChange<Change, Answer>(
  keys: readonly QueryKey[],
  mutationFn: (change: Change) => Promise<Answer>,
  onSuccess?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    retry: false,
    onSuccess,
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
