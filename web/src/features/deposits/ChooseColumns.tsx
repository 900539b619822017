import { type SubmitEvent, useEffect, useRef } from 'react';
import { ColumnKinds } from '@/shared/ColumnKinds';
import { addHeadings, getColumnName, headingOptions } from '@/shared/tableColumns';
import { Banner } from '@/ui/Banner';
import { SelectInput } from '@/ui/form/inputs';
import { SearchCard } from '@/ui/form/SearchCard';
import { pluralize } from '@/ui/pluralize';
import { capitalize } from '@/ui/text';
import { type Criteria, isComplete, type Kind, kinds } from './criteria';
import styles from './deposits.module.css';
import type { List } from './queries';

interface Props {
  criteria: Criteria;
  list: List;
  /** The step has just appeared, so its heading takes the focus. */
  arrived: boolean;
  busy: boolean;
  found: boolean;
  onChange: (criteria: Criteria) => void;
  onMatch: () => void;
  onNewList: () => void;
}

/** The column types, as the server detected them and the user corrects them. */
export function ChooseColumns({ criteria, list, arrived, busy, found, onChange, onMatch, onNewList }: Props) {
  const { columns, headerRows } = criteria;
  const heading = useRef<HTMLHeadingElement>(null);
  // Only when it appears. Later changes in it don't move the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (arrived) heading.current?.focus();
  }, []);
  const samples = list.rows.slice(headerRows, headerRows + 3);
  const count = pluralize(Math.max(0, list.rows.length - headerRows), 'line');
  const used = columns.filter(({ kind }) => kind);
  return (
    <SearchCard
      searching={busy}
      found={found}
      summary={[
        count,
        ...used.map((column) => `${getColumnName(column)} as ${kinds[column.kind as Exclude<Kind, ''>]}`),
      ]}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        onMatch();
      }}
      onReset={onNewList}
      searchLabel={`Match ${count}`}
      resetLabel="New list"
    >
      <div className={`card-body ${styles.choice}`}>
        <h2 ref={heading} tabIndex={-1}>
          Columns
        </h2>
        {!isComplete(columns) && (
          <Banner kind="warning">Select the date and the amount, or the trace number.</Banner>
        )}
        <div className="field-grid">
          <SelectInput
            label="Headers"
            options={headingOptions}
            value={String(headerRows)}
            onChange={({ target }) => {
              const rows = Number(target.value);
              onChange({ ...criteria, headerRows: rows, columns: addHeadings(columns, list.rows, rows) });
            }}
          />
        </div>
      </div>
      <ColumnKinds
        label="Columns"
        columns={columns}
        options={options}
        none="Ignore this column"
        getSamples={({ index }) => samples.map((cells) => cells[index])}
        onChange={(columns) => onChange({ ...criteria, columns })}
      />
    </SearchCard>
  );
}

const options = Object.entries(kinds).map(([value, label]) => ({ value, label: capitalize(label) }));
