import { formatMoment } from '@/ui/dates';
import styles from './AsOf.module.css';
import { type Data, useAsOf } from './intakes';

const names: Record<Data, string> = {
  bills: 'Bills',
  claims: 'Claims',
  clients: 'Clients',
  providers: 'Directory',
  feeSchedules: 'Fee schedules',
};

/** How fresh the data of a screen is. Nothing stands there while that is not known. */
export function AsOf({ data }: { data: Data }) {
  const asOf = useAsOf(data);
  if (!asOf) return null;
  return (
    <p className={styles.asOf}>
      {names[data]} as of <time dateTime={asOf}>{formatMoment(asOf)}</time>
    </p>
  );
}
