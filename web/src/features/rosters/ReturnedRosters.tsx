import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '@/api/client';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { formatBusinessDate } from '@/ui/dates';
import type { SentRoster } from './queries';

// How many of the latest rosters are searched for returned ones.
const latest = 10;

/** Whether a later roster of the same provider group replaces an earlier one. */
const isReplaced = (earlier: SentRoster, later: SentRoster) =>
  later.logId > earlier.logId &&
  later.sourceGroupId === earlier.sourceGroupId &&
  (later.updateType === 'full' || earlier.updateType === 'delta');

/**
 * The group's latest rosters that the network returned and that weren't sent again, for roster users
 * above Home.
 */
export function ReturnedRosters() {
  const { actingUser } = useSession();
  const groupId = actingUser.grpInfoId;
  const { data } = useQuery({
    queryKey: ['returned rosters', groupId],
    enabled: groupId !== null,
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/roster/uploadLogs/page', {
          body: { groupId: groupId ?? 0, table: { page: 0, pageSize: latest } },
          signal,
        }),
      ),
    staleTime: 60_000,
    retry: false,
  });
  const rows = data?.rows ?? [];
  const returned = rows.filter(
    (row) => row.receiving?.state === 'RETURNED' && !rows.some((later) => isReplaced(row, later)),
  );
  return returned.map(({ logId, fileName, receiving }) => (
    <Banner key={logId} kind="warning">
      <p>
        {`The network returned ${fileName}`}
        {receiving?.at && ` on ${formatBusinessDate(receiving.at)}`}: {receiving?.reason}{' '}
        <Link to={paths.manageRosters}>Send a corrected roster</Link>
      </p>
    </Banner>
  ));
}
