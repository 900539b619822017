import { formatDate, formatLocalDateTime } from '@/ui/dates';
import styles from './call.module.css';
import { formatCallOutcome } from './draft';
import type { PayerCall } from './queries';

/** What was agreed in a call, in one line. */
export const describeCall = ({ payer, spokeWith, outcome, promisedOn, reference, followUpOn }: PayerCall) =>
  [
    `${formatCallOutcome(outcome, promisedOn)}`,
    spokeWith ? `${spokeWith} at ${payer}` : payer,
    reference && `reference ${reference}`,
    followUpOn && `follow up on ${formatDate(followUpOn)}`,
  ]
    .filter(Boolean)
    .join(', ');

/** Calls as logged, with author and time. */
export const CallList = ({ calls }: { calls: readonly PayerCall[] }) => (
  <ul className={styles.calls}>
    {calls.map((call) => (
      <li key={call.id}>
        <p className={styles.hint}>
          {call.author || 'Former user'}, {formatLocalDateTime(call.at)}
        </p>
        <p className={styles.body}>{describeCall(call)}</p>
        {call.body && <p className={styles.body}>{call.body}</p>}
      </li>
    ))}
  </ul>
);
