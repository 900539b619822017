import { Link } from '@tanstack/react-router';
import { formatInstant } from '@/ui/dates';
import styles from './desk.module.css';
import type { Card } from './queries';

/** What the portal already has to mend it; the other things are done there. */
const actions: Record<Exclude<Card['action'], ''>, string> = {
  reset: 'Reset Password in User Search',
  registration: 'Resend Registration in User Search',
  mail: 'Send the mail again on Home',
  second: 'Reset their second step in User Search, if it is lost',
  draft: 'Complete the draft in User Search',
  employee: 'Enter the number in User Search',
};

/** Somebody, and in one sentence how they get in or why not. */
export const UserCard = ({ card }: { card: Card }) => {
  const { userName, name, type, status, email, lastSignIn, sentence, action } = card;
  return (
    <section className={`card ${styles.padded}`} aria-labelledby="user">
      <h2 id="user">
        {name} ({userName})
      </h2>
      <p className={styles.sentence}>{sentence}</p>
      {action && <Link to={action === 'mail' ? '/home' : '/UserSearch'}>{actions[action]}</Link>}
      <p className={styles.small}>
        {[type, status, email, lastSignIn && `last sign-in ${formatInstant(lastSignIn)}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </section>
  );
};
