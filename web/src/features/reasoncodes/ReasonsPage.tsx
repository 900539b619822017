import { useDeferredValue, useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useSearchState } from '@/shared/historyState';
import { ReasonText, unexplainedText } from '@/shared/ReasonChip';
import { listNames, type Reason, type ReasonList, useReasons } from '@/shared/reasons';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import styles from './reasoncodes.module.css';
import { isCode, noCriteria, read, search } from './search';

const lists = Object.entries(listNames).map(([value, label]) => ({ value, label }));

/** The meaning of the payers' and the network's codes in plain words. */
export default function ReasonsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Reason codes</h1>
        <p className="page-lead">
          Look up the codes on payments and explanations of review (EORs), and see what to do next.
        </p>
      </header>
      {can('codes.read') ? <Found /> : <NotPermitted />}
    </div>
  );
}

function Found() {
  const reasons = useReasons();
  const { search: stored, start } = useSearchState(read, {});
  const criteria = stored?.criteria ?? noCriteria;
  const deferredCriteria = useDeferredValue(criteria);
  const found = useMemo(
    () => (reasons.data ? search(reasons.data, deferredCriteria) : []),
    [reasons.data, deferredCriteria],
  );
  return (
    <section className="card">
      <div className="card-body field-grid">
        <TextInput
          label="Code or keyword"
          type="search"
          placeholder="CO-45, N130, fee schedule"
          autoComplete="off"
          value={criteria.text}
          onChange={({ target }) => start({ ...criteria, text: target.value })}
        />
        <SelectInput
          label="List"
          placeholder="All lists"
          options={lists}
          value={criteria.list}
          onChange={({ target }) => start({ ...criteria, list: target.value as ReasonList | '' })}
        />
      </div>
      {reasons.isPending ? (
        <Loading />
      ) : reasons.isError ? (
        <Failed onRetry={() => void reasons.refetch()} />
      ) : (
        <>
          <p className={styles.count} role="status">
            {pluralize(found.length, 'code')}
          </p>
          {found.length === 0 && (
            <Empty title={isCode(criteria.text) ? unexplainedText : 'No matching codes'}>
              Try another keyword, or search all lists.
            </Empty>
          )}
          {lists.map(({ value, label }) => (
            <List key={value} title={label} reasons={found.filter(({ list }) => list === value)} />
          ))}
        </>
      )}
    </section>
  );
}

// The initial number of codes per list, until the user asks for more.
const initialCount = 100;

function List({ title, reasons }: { title: string; reasons: readonly Reason[] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (reasons.length === 0) return null;
  const shown = showsAll ? reasons : reasons.slice(0, initialCount);
  return (
    <section className={styles.list}>
      <h2>{title}</h2>
      <ul>
        {shown.map((reason) => {
          const name = reason.jurisdiction ? `${reason.code} in ${reason.jurisdiction}` : reason.code;
          return (
            <li key={`${reason.code} ${reason.jurisdiction}`}>
              <ReasonText
                label={
                  <>
                    <Chip>{name}</Chip> {reason.status === 'ENDED' && <Chip kind="warning">Inactive</Chip>}
                  </>
                }
                name={name}
                reason={reason}
              />
            </li>
          );
        })}
      </ul>
      {shown.length < reasons.length && (
        <Button size="small" onClick={() => setShowsAll(true)}>
          Show all {formatCount(reasons.length)}
        </Button>
      )}
    </section>
  );
}
