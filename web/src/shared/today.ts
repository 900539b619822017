import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';

export const todayKey = ['today'];

/** The changes to the user's bills since the last visit, or in the last 30 days, and the questions that need them. */
export const useToday = (history = false, enabled = true) =>
  useQuery({
    queryKey: [...todayKey, history],
    enabled,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/work/alerts', { params: { query: history ? { history } : {} }, signal })),
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
