import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { Failed, Loading } from '@/ui/PageState';
import styles from './auditlog.module.css';
import { searchFields } from './operations';
import { type Entry, useSearchDetails } from './queries';

/** An entry's search criteria and results. */
export function SearchedDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { data, isPending, isError, refetch } = useSearchDetails(entry.id);
  return (
    <Dialog
      open
      title="Search criteria"
      size="medium"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {isPending ? (
        <Loading />
      ) : isError ? (
        <Failed onRetry={() => void refetch()} />
      ) : (
        <dl className={styles.parts}>
          {data.length === 0 && <Part name="Criteria" value="None" />}
          {sortByName(data).map(({ name, value }) => (
            <Part key={name} name={searchFields[name] ?? name} value={formatDate(value) || value} />
          ))}
          {entry.answered.length > 0 && <Part name="Answered" value={entry.answered.join(', ')} />}
        </dl>
      )}
    </Dialog>
  );
}

const order = Object.keys(searchFields);

const sortByName = (list: readonly { name: string; value: string }[]) =>
  [...list].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));

function Part({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
