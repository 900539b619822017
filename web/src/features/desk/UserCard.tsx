import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import styles from './desk.module.css';
import { OfficeAccess } from './OfficeAccess';
import { type Card, type CardAction, useAccessStatus, useCardAction, useStartMirror } from './queries';

/** Actions that run here, for users who can also do them elsewhere. */
const cardActions: Record<
  CardAction,
  { label: string; permission: string; question: string; verb: string; done: string }
> = {
  reset: {
    label: 'Reset Password',
    permission: 'users.manage',
    question: 'Are you sure you want to reset the password for this account?',
    verb: 'reset',
    done: 'Link sent. The user can sign in again with it.',
  },
  registration: {
    label: 'Resend Registration',
    permission: 'users.manage',
    question: 'Are you sure you want to resend the registration emails for this account?',
    verb: 'resend',
    done: 'Registration email resent',
  },
  mail: {
    label: 'Resend email',
    permission: 'mails.manage',
    question: 'Resend the last email to this account?',
    verb: 'resend',
    done: 'Resending email',
  },
};

/** Actions on other screens. */
const elsewhere: Partial<Record<Card['action'], string>> = {
  second: 'If they lost their device, reset two-step verification in User Search',
  draft: 'Complete the draft in User Search',
  employee: 'Enter the number in User Search',
};

const isCardAction = (action: Card['action']): action is CardAction => action in cardActions;

interface Props {
  card: Card;
  onOffice: (id: number) => void;
  /** The card is out of date. */
  onChanged: () => void;
}

/** A user, with one sentence on whether they can sign in, and the available actions. */
export function UserCard({ card, onOffice, onChanged }: Props) {
  const { userName, name, type, status, email, lastSignIn, sentence, action, mirrorable, groupId } = card;
  const { can } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const actAs = useStartMirror();
  const acts = mirrorable && can('session.mirror');
  const { data: accessStatus } = useAccessStatus(userName, acts);
  const mend = isCardAction(action) && can(cardActions[action].permission) ? action : undefined;
  const other = elsewhere[action];
  return (
    <section className={`card ${styles.padded}`} aria-labelledby="user">
      <h2 id="user">
        {name} ({userName})
      </h2>
      <p className={styles.sentence}>{sentence}</p>
      <p className={styles.small}>
        {[type, status, email, lastSignIn && `last sign-in ${formatBusinessDate(lastSignIn)}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {actAs.error && (
        <Banner kind="error">
          <p>{toProblem(actAs.error).message}</p>
        </Banner>
      )}
      {other && can('users.manage') && (
        <p>
          <Link to={paths.userSearch}>{other}</Link>
        </p>
      )}
      {(mend || groupId !== 0 || mirrorable) && (
        <div className={`button-row ${styles.actions}`}>
          {mend && (
            <Button variant="primary" onClick={() => setConfirming(true)}>
              {cardActions[mend].label}
            </Button>
          )}
          {groupId !== 0 && <Button onClick={() => onOffice(groupId)}>Their office</Button>}
          {acts && (!accessStatus?.asksFirst || accessStatus.allowed) && (
            <Button busy={actAs.isPending} onClick={() => actAs.mutate(userName)}>
              Act as {userName}
            </Button>
          )}
        </div>
      )}
      {accessStatus?.asksFirst && <OfficeAccess userName={userName} status={accessStatus} />}
      {isConfirming && mend && (
        <CardActionDialog mend={mend} card={card} onClose={() => setConfirming(false)} onDone={onChanged} />
      )}
    </section>
  );
}

interface DialogProps {
  mend: CardAction;
  card: Card;
  onClose: () => void;
  onDone: () => void;
}

function CardActionDialog({ mend, card, onClose, onDone }: DialogProps) {
  const { mutate, isPending, error } = useCardAction();
  const { label, question, verb, done } = cardActions[mend];
  const confirm = () =>
    mutate(
      { mend, card },
      {
        onSuccess: () => {
          toast.success(done);
          onClose();
          onDone();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={question}
      confirmLabel={label}
      verb={verb}
      cancelLabel="Cancel"
      busy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {error && (
        <Banner kind="error">
          <p>{toProblem(error).message}</p>
        </Banner>
      )}
      <p>
        <strong>{card.name}</strong>, {card.email}
      </p>
    </ConfirmDialog>
  );
}
