import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '@/api/client';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { formatBusinessDate } from '@/ui/dates';

const maxShown = 10;

/** The group's rosters that the network returned and that weren't sent again, for roster users above Home. */
export function ReturnedRosters() {
  const { actingUser } = useSession();
  const groupId = actingUser.grpInfoId;
  const { data } = useQuery({
    queryKey: ['returned rosters', groupId],
    enabled: groupId !== null,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/roster/uploadLogs/page', {
          body: {
            groupId: groupId ?? 0,
            table: { page: 0, pageSize: maxShown, filters: { correction: 'needed' } },
          },
          signal,
        }),
      ),
    staleTime: 60_000,
    retry: false,
  });
  return data?.rows.map(({ logId, fileName, receiving }) => (
    <Banner key={logId} kind="warning">
      <p>
        {`The network returned ${fileName}`}
        {receiving?.at && ` on ${formatBusinessDate(receiving.at)}`}: {receiving?.reason}{' '}
        <Link to={paths.manageRosters}>Send a corrected roster</Link>
      </p>
    </Banner>
  ));
}
