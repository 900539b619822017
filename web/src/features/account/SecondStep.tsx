import { useState } from 'react';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { cx } from '@/ui/cx';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { Failed, Loading } from '@/ui/PageState';
import { AddAppDialog, AddPasskeyDialog, RecoveryCodesDialog } from './FactorDialogs';
import { makesPasskeys } from './passkeys';
import { type Factor, useFactors, useRemoveFactor, useRenewCodes } from './queries';
import { reason } from './reason';
import styles from './security.module.css';

type Open =
  | { dialog: 'app' | 'passkey' | 'renew' }
  | { dialog: 'remove'; factor: Factor }
  | { dialog: 'codes'; codes: readonly string[] }
  | null;

const kinds = { passkey: 'Passkey', app: 'Authenticator app' };
const headingId = 'second-step';

/** The passkeys and apps of the person, and the recovery codes. */
export function SecondStep() {
  const factors = useFactors(true);
  const [open, setOpen] = useState<Open>(null);
  const { announcement, announce, clear } = useAnnouncement();
  const { mutate: remove, isPending: removing } = useRemoveFactor();
  const { mutate: renew, isPending: renewing } = useRenewCodes();

  if (factors.isPending) return <Loading />;
  if (factors.isError) return <Failed onRetry={() => void factors.refetch()} />;
  const { policy, factors: list, recoveryCodes } = factors.data;
  if (policy === 'off' && list.length === 0) return null;

  const start = (next: Open) => {
    clear();
    setOpen(next);
  };
  const close = () => setOpen(null);
  const added = (what: string) => (codes: readonly string[]) => {
    announce('success', `${what} was added. Wherever else you were signed in, you are signed out.`);
    setOpen(codes.length > 0 ? { dialog: 'codes', codes } : null);
  };
  const last = list.length === 1;
  const kept = last && policy === 'required';

  return (
    <section className={cx('card', styles.card)} aria-labelledby={headingId}>
      <div className={styles.body}>
        <header>
          <h2 id={headingId}>Second step</h2>
          <p className={styles.lead}>
            {policy === 'required'
              ? 'Your account needs a second step beside the password: a passkey, or a code of an authenticator app.'
              : 'With a passkey or an authenticator app, your password alone lets nobody in. A passkey also signs you in by itself.'}
          </p>
        </header>
        <AnnouncementBanner announcement={announcement} />
        {list.length > 0 && (
          <ul className={styles.list}>
            {list.map((factor) => (
              <li key={factor.id}>
                <div>
                  <p className={styles.name}>
                    <span>{factor.name}</span>
                    {factor.name !== kinds[factor.kind] && <Chip>{kinds[factor.kind]}</Chip>}
                  </p>
                  <p className={styles.about}>
                    {`Added ${formatMoment(factor.addedDt)}, ${factor.usedDt ? `last used ${formatMoment(factor.usedDt)}` : 'not used yet'}`}
                  </p>
                </div>
                <Button size="small" disabled={kept} onClick={() => start({ dialog: 'remove', factor })}>
                  Remove
                  <span className="visually-hidden">{` ${factor.name}`}</span>
                </Button>
              </li>
            ))}
            <li>
              <div>
                <p className={styles.name}>Recovery codes</p>
                <p className={styles.about}>
                  {recoveryCodes === 1
                    ? 'One code is left. It lets you in once when you have nothing else at hand.'
                    : `${recoveryCodes} codes are left. Each lets you in once when you have nothing else at hand.`}
                </p>
              </div>
              <Button size="small" onClick={() => start({ dialog: 'renew' })}>
                New codes
              </Button>
            </li>
          </ul>
        )}
        {kept && (
          <p className={styles.about}>
            The last one cannot be removed. Add another one first, then remove this one.
          </p>
        )}
        <div className="button-row">
          {makesPasskeys() && (
            <Button
              variant={list.length === 0 ? 'primary' : 'secondary'}
              onClick={() => start({ dialog: 'passkey' })}
            >
              Add a passkey
            </Button>
          )}
          <Button onClick={() => start({ dialog: 'app' })}>Add an authenticator app</Button>
        </div>
      </div>
      {open?.dialog === 'passkey' && <AddPasskeyDialog onAdded={added('The passkey')} onClose={close} />}
      {open?.dialog === 'app' && <AddAppDialog onAdded={added('The authenticator app')} onClose={close} />}
      {open?.dialog === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          open
          title={`Remove ${open.factor.name}?`}
          confirmLabel="Remove"
          cancelLabel="Cancel"
          busy={removing}
          onCancel={close}
          onConfirm={() =>
            remove(open.factor.id, {
              onSuccess: () => announce('success', `${open.factor.name} was removed.`),
              onError: (error) => announce('error', reason(error)),
              onSettled: close,
            })
          }
        >
          <p>
            {last
              ? 'Signing in asks for your password alone from then on, and your recovery codes end.'
              : 'It can no longer be used to sign in.'}{' '}
            Wherever else you are signed in, you will be signed out.
          </p>
        </ConfirmDialog>
      )}
      {open?.dialog === 'renew' && (
        <ConfirmDialog
          open
          title="Make new recovery codes?"
          confirmLabel="New codes"
          cancelLabel="Cancel"
          busy={renewing}
          onCancel={close}
          onConfirm={() =>
            renew(undefined, {
              onSuccess: (codes) => setOpen({ dialog: 'codes', codes }),
              onError: (error) => {
                announce('error', reason(error));
                close();
              },
            })
          }
        >
          <p>Those you have no longer work. Wherever else you are signed in, you will be signed out.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
