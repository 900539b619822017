import { RemittanceLink } from '@/shared/BillLink';
import { describeCall } from '@/shared/payerCall/CallList';
import type { PayerCall } from '@/shared/payerCall/queries';
import { formatBusinessDate, formatDate, formatLocalDateTime, parseDate } from '@/ui/dates';
import styles from './bill.module.css';
import type { Event } from './queries';

/** Files have only dates; portal events have a time. */
export function formatWhen({ kind, on, at }: Event): string {
  if (on) return formatDate(on);
  return kind === 'opened' && at ? formatLocalDateTime(at) : formatBusinessDate(at);
}

/** Adds the group's calls to the payer, newest first, to the events. They follow the other events of their day. */
function addCalls(events: readonly Event[], calls: readonly PayerCall[]): (Event | PayerCall)[] {
  const getDay = ({ on, at }: Event | PayerCall) => on ?? parseDate(formatBusinessDate(at)) ?? '';
  const list: (Event | PayerCall)[] = [...events];
  for (const call of [...calls].reverse()) {
    const day = getDay(call);
    const at = list.findIndex((entry) => getDay(entry) > day);
    list.splice(at < 0 ? list.length : at, 0, call);
  }
  return list;
}

/** The bill's events and the group's payer calls, oldest first. Their sources are at the end of the page. */
export const BillHistory = ({
  events,
  calls = [],
}: {
  events: readonly Event[];
  calls?: readonly PayerCall[];
}) => (
  <section className={`card ${styles.journey}`} aria-labelledby="journey">
    <h2 id="journey" className={styles.heading}>
      Bill history
    </h2>
    <ol className={styles.events}>
      {addCalls(events, calls).map((event) =>
        'outcome' in event ? (
          <li key={event.id} data-kind="call">
            <span className={styles.when}>{formatDate(event.on)}</span>
            <span className={styles.what}>
              Payer call by {event.author || 'a former user'}: {describeCall(event)}
              {event.body && <span className={styles['call-text']}>{event.body}</span>}
            </span>
          </li>
        ) : (
          <li key={`${event.kind} ${event.on ?? event.at} ${event.text}`} data-kind={event.kind}>
            <span className={styles.when}>{formatWhen(event)}</span>
            <span className={styles.what}>
              {event.remittance ? (
                <RemittanceLink page={event.remittance}>{event.text}</RemittanceLink>
              ) : (
                event.text
              )}
            </span>
          </li>
        ),
      )}
    </ol>
  </section>
);
