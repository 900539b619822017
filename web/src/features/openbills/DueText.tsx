import { countDays, formatDate, today } from '@/ui/dates';
import { pluralize } from '@/ui/pluralize';
import styles from './openbills.module.css';

/** How long ago or how soon a bill is due, with the date on hover. */
export function DueText({ due }: { due: string | null }) {
  if (!due) return null;
  const days = countDays(today(), due);
  return (
    <span className={days < 0 ? styles.overdue : undefined} title={formatDate(due)}>
      {days < 0 && `${pluralize(-days, 'day')} overdue`}
      {days === 0 && 'due today'}
      {days > 0 && `due in ${pluralize(days, 'day')}`}
    </span>
  );
}
