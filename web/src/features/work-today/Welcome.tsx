import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { zoneName } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import { failureOf, type OwnMails, useSaveSettings } from './queries';
import styles from './today.module.css';

const choices = [
  {
    digest: 'daily',
    label: 'Daily',
    said: () => `A mail comes on weekdays at 7:30 AM ${zoneName()} when something has changed.`,
  },
  {
    digest: 'mondays',
    label: 'Mondays',
    said: () => `A mail comes on Mondays at 7:30 AM ${zoneName()} when something has changed.`,
  },
  { digest: 'never', label: 'Never', said: () => 'Nothing is mailed to you.' },
] as const;

const wanted = (digest: OwnMails['digest']): OwnMails => ({ digest, hour: 7, watches: digest !== 'never' });

/** Says what the screen is, and asks once whether its news are to be mailed. */
export function Welcome() {
  const { mirroredUser, can } = useSession();
  const { mutate, isPending, variables } = useSaveSettings();
  return (
    <section className={`card ${styles.welcome}`} aria-label="Welcome">
      <p>
        The Workspace is where you work on your bills rather than look them up one by one. Today counts what
        changed since you last looked, and each figure opens its bills. Watch a bill or a claim on its page,
        and it stands here as soon as something becomes of it.
      </p>
      {can('digest.own') && !mirroredUser && (
        <div className={styles.question}>
          <h2 id="mail-question">Send me this by mail?</h2>
          <fieldset className="button-row" aria-labelledby="mail-question">
            {choices.map(({ digest, label, said }) => (
              <Button
                key={digest}
                busy={isPending && variables.digest === digest}
                onClick={() =>
                  mutate(wanted(digest), {
                    onSuccess: () => toast.success(said()),
                    onError: (error) => toast.error(failureOf(error)),
                  })
                }
              >
                {label}
              </Button>
            ))}
          </fieldset>
          <p className={styles.small}>
            A mail says how many bills, and nothing of which. You can change it at any time under Mails.
          </p>
        </div>
      )}
    </section>
  );
}
