import { useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { groupLabel, type PortalUserGroup } from '@/shared/groups';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatInstant } from '@/ui/dates';
import { TextAreaInput } from '@/ui/form/inputs';
import styles from './adding.module.css';
import { genericError } from './newUser';
import type { AccountRequest } from './payload';
import { useDeclineRequest } from './queries';

interface Props {
  request: AccountRequest;
  /** Those that have the TIN of the request. */
  groups: readonly PortalUserGroup[];
}

/** Whose account request is answered here, for which TIN, and which group has it. */
export function RequestNotice({ request, groups }: Props) {
  const { can, mirroredUser } = useSession();
  const [declining, setDeclining] = useState(false);
  const name = `${request.firstName} ${request.lastName}`;
  if (request.status === 'CLOSED')
    return <Banner kind="warning">{`The account request of ${name} was answered already.`}</Banner>;
  if (request.status === 'DECLINED')
    return <Banner kind="warning">{`The account request of ${name} was declined by email.`}</Banner>;
  return (
    <>
      <Banner kind="info" title={`Account request of ${name}`}>
        {request.providerList.map(({ ftin, providerName }) => (
          <p key={ftin} className={styles.request}>
            {`Of ${formatInstant(request.submittedDt)}, for ${providerName}, FTIN ${ftin}`}
          </p>
        ))}
        <p>{ownersText(groups)}</p>
        <p>Choose the account type to go on. Creating the user answers the request.</p>
        {can('accountRequests.decline') && (
          <div className={styles.decline}>
            <Button size="small" disabled={Boolean(mirroredUser)} onClick={() => setDeclining(true)}>
              DECLINE REQUEST
            </Button>
          </div>
        )}
      </Banner>
      {declining && <DeclineDialog request={request} name={name} onClose={() => setDeclining(false)} />}
    </>
  );
}

function ownersText(groups: readonly PortalUserGroup[]): string {
  const owners = groups.filter(({ groupTypeCd }) => groupTypeCd === 'PRV').map(groupLabel);
  const last = owners.at(-1);
  if (!last) return 'No provider group has this TIN yet.';
  if (owners.length === 1) return `The TIN belongs to ${last}.`;
  return `The TIN belongs to ${owners.slice(0, -1).join('; ')} and ${last}.`;
}

const mostLetters = 400;

function DeclineDialog({
  request,
  name,
  onClose,
}: {
  request: AccountRequest;
  name: string;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [failed, setFailed] = useState<string>();
  const { mutateAsync, isPending } = useDeclineRequest(request.id);
  const tooLong = reason.trim().length > mostLetters;
  async function decline() {
    try {
      await mutateAsync(reason);
      onClose();
    } catch (error) {
      const conflict = error instanceof Problem && error.status === 409;
      setFailed(conflict ? error.message : genericError);
    }
  }
  return (
    <ConfirmDialog
      open
      title={`Decline the account request of ${name}?`}
      confirmLabel="DECLINE"
      cancelLabel="CANCEL"
      busy={isPending}
      confirmDisabled={tooLong}
      onConfirm={() => void decline()}
      onCancel={onClose}
    >
      {failed && <Banner kind="error">{failed}</Banner>}
      <p>{`${request.emailAddress} is told by email. No account is made.`}</p>
      <TextAreaInput
        className={styles.reason}
        label="Reason"
        hint="Optional. The email tells it."
        rows={3}
        value={reason}
        error={tooLong ? `Error: At most ${mostLetters} characters` : undefined}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  );
}
