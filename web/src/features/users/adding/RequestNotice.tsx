import { useState } from 'react';
import { useSession } from '@/api/session';
import { DeclineRequest } from '@/shared/DeclineRequest';
import { formatGroup, type PortalUserGroup } from '@/shared/groups';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import styles from './adding.module.css';
import type { AccountRequest } from './payload';

interface Props {
  request: AccountRequest;
  /** The groups that have the request's TIN. */
  groups: readonly PortalUserGroup[];
}

/** Shows the account request's person and TIN, and the group that has the TIN. */
export function RequestNotice({ request, groups }: Props) {
  const { can, mirroredUser } = useSession();
  const [declining, setDeclining] = useState(false);
  const name = `${request.firstName} ${request.lastName}`;
  if (request.status === 'CLOSED')
    return <Banner kind="warning">{`The account request of ${name} was already answered.`}</Banner>;
  if (request.status === 'DECLINED')
    return <Banner kind="warning">{`The account request of ${name} was declined by email.`}</Banner>;
  return (
    <>
      <Banner kind="info" title={`Account request of ${name}`}>
        {request.providerList.map(({ ftin, providerName }) => (
          <p key={ftin} className={styles.request}>
            {`Of ${formatBusinessDate(request.submittedDt)}, for ${providerName}, FTIN ${ftin}`}
          </p>
        ))}
        <p>{describeOwners(groups)}</p>
        <p>Check the proposed account type. Creating the user approves the request.</p>
        {can('accountRequests.decline') && (
          <div className={styles.decline}>
            <Button size="small" disabled={Boolean(mirroredUser)} onClick={() => setDeclining(true)}>
              DECLINE REQUEST
            </Button>
          </div>
        )}
      </Banner>
      {declining && <DeclineRequest request={request} onClose={() => setDeclining(false)} />}
    </>
  );
}

function describeOwners(groups: readonly PortalUserGroup[]): string {
  const owners = groups.filter(({ groupTypeCd }) => groupTypeCd === 'PRV').map(formatGroup);
  const last = owners.at(-1);
  if (!last) return 'No provider group has this TIN yet.';
  if (owners.length === 1) return `The TIN belongs to ${last}.`;
  return `The TIN belongs to ${owners.slice(0, -1).join('; ')} and ${last}.`;
}
