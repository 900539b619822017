import { Button } from '@/ui/Button';
import { addDays, today } from '@/ui/dates';
import { TextInput } from '@/ui/form/inputs';
import styles from './openbills.module.css';

/** Returns the first Monday after a date. */
export function getNextMonday(date: string): string {
  // 0 is Sunday.
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, ((7 - weekday) % 7) + 1);
}

/** The date of the next step, with the usual ones at hand. */
export function FollowUp({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const now = today();
  const quick = [
    { label: 'Tomorrow', date: addDays(now, 1) },
    { label: '+7 days', date: addDays(now, 7) },
    { label: 'Monday', date: getNextMonday(now) },
  ];
  return (
    <div>
      <TextInput
        type="date"
        label="Follow-up date"
        min={now}
        value={day}
        onChange={({ target }) => onChange(target.value)}
      />
      <div className={styles.quick}>
        {quick.map(({ label, date }) => (
          <Button key={label} size="small" aria-pressed={day === date} onClick={() => onChange(date)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
