import { isPasswordExternal } from '@/api/config';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { cx } from '@/ui/cx';
import { formatLocalDateTime } from '@/ui/dates';
import { Failed, Loading } from '@/ui/PageState';
import { getReason } from './getReason';
import { useEndSessions, useOpenSessions } from './queries';
import styles from './security.module.css';

const headingId = 'open-sessions';

/** The user's sessions. Ends the other ones. */
export function OpenSessions() {
  const sessions = useOpenSessions();
  const { mutate: end, isPending, variables } = useEndSessions();
  const { announcement, announce, clear } = useAnnouncement();

  if (sessions.isPending) return <Loading />;
  if (sessions.isError) return <Failed onRetry={() => void sessions.refetch()} />;

  const endSessions = (id: string | null, done: string) => {
    clear();
    end(id, {
      onSuccess: () => announce('success', done),
      onError: (error) => announce('error', getReason(error)),
    });
  };
  return (
    <section className={cx('card', styles.card)} aria-labelledby={headingId}>
      <div className={styles.body}>
        <header>
          <h2 id={headingId}>Active sessions</h2>
          <p className={styles.lead}>
            End any session you don't recognize, then change your password
            {isPasswordExternal() && ' with your identity provider'}.
          </p>
        </header>
        <AnnouncementBanner announcement={announcement} />
        <ul className={styles.list}>
          {sessions.data.map(({ id, device, sinceDt, seenDt, thisHere }) => (
            <li key={id}>
              <div>
                <p className={styles.name}>
                  <span>{device || 'Unknown device'}</span>
                  {thisHere && <Chip kind="success">This session</Chip>}
                </p>
                <p className={styles.about}>
                  {`Signed in ${formatLocalDateTime(sinceDt)}, last active ${formatLocalDateTime(seenDt)}`}
                </p>
              </div>
              {!thisHere && (
                <Button
                  size="small"
                  busy={isPending && variables === id}
                  onClick={() => endSessions(id, 'Session ended')}
                >
                  End session
                  <span className="visually-hidden">{` ${device || 'Unknown device'}, signed in ${formatLocalDateTime(sinceDt)}`}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
        {sessions.data.length > 1 && (
          <div className="button-row">
            <Button
              busy={isPending && variables === null}
              onClick={() => endSessions(null, 'Signed out everywhere else')}
            >
              Sign out everywhere else
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
