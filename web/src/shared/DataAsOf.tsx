import { formatLocalDateTime } from '@/ui/dates';
import styles from './DataAsOf.module.css';
import { type Data, useDataAsOf } from './intakes';

const names: Record<Data, string> = {
  bills: 'Bills',
  claims: 'Claims',
  clients: 'Clients',
  providers: 'Directory',
  feeSchedules: 'Fee schedules',
};

/** When a screen's data was last imported. Shows nothing until that's known. */
export function DataAsOf({ data }: { data: Data }) {
  const asOf = useDataAsOf(data);
  if (!asOf) return null;
  return (
    <p className={styles.asOf}>
      {names[data]} as of <time dateTime={asOf}>{formatLocalDateTime(asOf)}</time>
    </p>
  );
}
