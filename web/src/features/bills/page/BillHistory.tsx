import { RemittanceLink } from '@/shared/BillLink';
import { formatBusinessDate, formatDate, formatLocalDateTime } from '@/ui/dates';
import styles from './bill.module.css';
import type { Event } from './queries';

/** Files have only dates; portal events have a time. */
export function formatWhen({ kind, on, at }: Event): string {
  if (on) return formatDate(on);
  return kind === 'opened' && at ? formatLocalDateTime(at) : formatBusinessDate(at);
}

/** The bill's events, oldest first. Their sources are at the end of the page. */
export const BillHistory = ({ events }: { events: readonly Event[] }) => (
  <section className={`card ${styles.journey}`} aria-labelledby="journey">
    <h2 id="journey" className={styles.heading}>
      Bill history
    </h2>
    <ol className={styles.events}>
      {events.map((event) => (
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
      ))}
    </ol>
  </section>
);
