import { Button } from '@/ui/Button';
import { addDays, today } from '@/ui/dates';
import { TextInput } from '@/ui/form/inputs';
import styles from './FollowUp.module.css';
import { getNextMonday, offersMonday } from './nextMonday';

interface Props {
  day: string;
  /** The date before any change. It can be in the past. */
  stored?: string;
  onChange: (day: string) => void;
  hint?: string;
  error?: string;
}

/** The date of the next step, with the usual ones at hand. */
export function FollowUp({ day, stored, onChange, hint, error }: Props) {
  const now = today();
  const quick = [
    { label: 'Tomorrow', date: addDays(now, 1) },
    { label: '+7 days', date: addDays(now, 7) },
    ...(offersMonday(now) ? [{ label: 'Monday', date: getNextMonday(now) }] : []),
  ];
  return (
    <div>
      <TextInput
        type="date"
        label="Follow-up date"
        min={day && day === stored ? undefined : now}
        hint={hint}
        error={error}
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
