import { useState } from 'react';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { cx } from '@/ui/cx';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { Failed, Loading } from '@/ui/PageState';
import { AddAppDialog, AddPasskeyDialog, RecoveryCodesDialog } from './FactorDialogs';
import { getReason } from './getReason';
import { supportsPasskeys } from './passkeys';
import { type Factor, useFactors, useRemoveFactor, useRenewCodes } from './queries';
import styles from './security.module.css';

type Open =
  | { dialog: 'app' | 'passkey' | 'renew' }
  | { dialog: 'remove'; factor: Factor }
  | { dialog: 'codes'; codes: readonly string[] }
  | null;

const kinds = { passkey: 'Passkey', app: 'Authenticator app' };
const headingId = 'second-step';

/** The user's passkeys, authenticator apps and recovery codes. */
export function TwoStepVerification() {
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
  const showAdded = (what: string) => (codes: readonly string[]) => {
    announce('success', `${what} added. We signed you out everywhere else.`);
    setOpen(codes.length > 0 ? { dialog: 'codes', codes } : null);
  };
  const last = list.length === 1;
  const isRequired = last && policy === 'required';

  return (
    <section className={cx('card', styles.card)} aria-labelledby={headingId}>
      <div className={styles.body}>
        <header>
          <h2 id={headingId}>Two-step verification</h2>
          <p className={styles.lead}>
            {policy === 'required'
              ? 'Your account requires a passkey or an authenticator app code in addition to your password.'
              : 'With a passkey or an authenticator app, no one can sign in with your password alone. You can also sign in with just a passkey.'}
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
                    {`Added ${formatLocalDateTime(factor.addedDt)}, ${factor.usedDt ? `last used ${formatLocalDateTime(factor.usedDt)}` : 'not used yet'}`}
                  </p>
                </div>
                <Button
                  size="small"
                  disabled={isRequired}
                  onClick={() => start({ dialog: 'remove', factor })}
                >
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
                    ? "1 code left. It works once if you can't use your passkey or app."
                    : `${recoveryCodes} codes left. Each works once if you can't use your passkey or app.`}
                </p>
              </div>
              <Button size="small" onClick={() => start({ dialog: 'renew' })}>
                New codes
              </Button>
            </li>
          </ul>
        )}
        {isRequired && (
          <p className={styles.about}>You can't remove your only method. Add another one first.</p>
        )}
        <div className="button-row">
          {supportsPasskeys() && (
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
      {open?.dialog === 'passkey' && <AddPasskeyDialog onAdded={showAdded('Passkey')} onClose={close} />}
      {open?.dialog === 'app' && <AddAppDialog onAdded={showAdded('Authenticator app')} onClose={close} />}
      {open?.dialog === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          open
          title={`Remove ${open.factor.name}?`}
          confirmLabel="Remove"
          destructive
          cancelLabel="Cancel"
          busy={removing}
          onCancel={close}
          onConfirm={() =>
            remove(open.factor.id, {
              onSuccess: () => announce('success', `${open.factor.name} removed`),
              onError: (error) => announce('error', getReason(error)),
              onSettled: close,
            })
          }
        >
          <p>
            {last
              ? "You'll sign in with just your password, and your recovery codes will stop working."
              : "You won't be able to sign in with it."}{' '}
            You'll be signed out everywhere else.
          </p>
        </ConfirmDialog>
      )}
      {open?.dialog === 'renew' && (
        <ConfirmDialog
          open
          title="Create new recovery codes?"
          confirmLabel="Create codes"
          cancelLabel="Cancel"
          busy={renewing}
          onCancel={close}
          onConfirm={() =>
            renew(undefined, {
              onSuccess: (codes) => setOpen({ dialog: 'codes', codes }),
              onError: (error) => {
                announce('error', getReason(error));
                close();
              },
            })
          }
        >
          <p>Your current codes will stop working. You'll be signed out everywhere else.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
