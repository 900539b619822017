import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { getZoneName } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import styles from './alerts.module.css';
import { formatFailure, type OwnMails, useSaveSettings } from './queries';

const choices = [
  {
    digest: 'daily',
    label: 'Daily',
    getConfirmation: () => `We'll email you on weekdays at 7:30 AM ${getZoneName()} when something changes.`,
  },
  {
    digest: 'mondays',
    label: 'Mondays',
    getConfirmation: () => `We'll email you on Mondays at 7:30 AM ${getZoneName()} when something changes.`,
  },
  { digest: 'never', label: 'Never', getConfirmation: () => "We won't email you these updates." },
] as const;

const makeSettings = (digest: OwnMails['digest']): OwnMails => ({
  digest,
  hour: 7,
  watches: digest !== 'never',
  questions: true,
});

/** Explains the screen and asks once whether to email its updates. */
export function Welcome() {
  const { mirroredUser, can } = useSession();
  const { mutate, isPending, variables } = useSaveSettings();
  return (
    <section className={`card ${styles.welcome}`} aria-label="Welcome">
      <p>
        Work on all your bills here instead of looking them up one by one. Today shows what changed since your
        last visit. Click a number to see its bills. Follow a bill or claim from its page to see its updates
        here.
      </p>
      {can('digest.own') && !mirroredUser && (
        <div className={styles.question}>
          <h2 id="mail-question">Get these updates by email?</h2>
          <fieldset className="button-row" aria-labelledby="mail-question">
            {choices.map(({ digest, label, getConfirmation }) => (
              <Button
                key={digest}
                busy={isPending && variables.digest === digest}
                onClick={() =>
                  mutate(makeSettings(digest), {
                    onSuccess: () => toast.success(getConfirmation()),
                    onError: (error) => toast.error(formatFailure(error)),
                  })
                }
              >
                {label}
              </Button>
            ))}
          </fieldset>
          <p className={styles.small}>
            Emails show counts only, never bill details. Change this anytime in Email settings.
          </p>
        </div>
      )}
    </section>
  );
}
