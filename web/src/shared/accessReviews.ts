import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { useSession } from '@/api/session';

/** The access reviews of the user's group, for reviewers. */
export const useAccessReviews = () => {
  const { can, actingUser } = useSession();
  return useQuery({
    queryKey: ['users', 'reviews', actingUser.userNm],
    queryFn: ({ signal }) => unwrap(api.GET('/work/access', { signal })),
    enabled: can('access.review'),
  });
};
