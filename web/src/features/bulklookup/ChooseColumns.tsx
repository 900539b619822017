import { Fragment, type SubmitEvent, useEffect, useRef } from 'react';
import { ColumnKinds } from '@/shared/ColumnKinds';
import { addHeadings, getColumnName, headingOptions } from '@/shared/tableColumns';
import { Banner } from '@/ui/Banner';
import { SelectInput } from '@/ui/form/inputs';
import { SearchCard } from '@/ui/form/SearchCard';
import { pluralize } from '@/ui/pluralize';
import { capitalize } from '@/ui/text';
import styles from './bulklookup.module.css';
import { type Column, type Criteria, countLines, getLines, type Kind, kinds } from './criteria';
import { parseRows, type Separator } from './paste';
import { formatFailure, useReadColumns } from './queries';

interface Props {
  criteria: Criteria;
  /** The step has just appeared, so its heading takes the focus. */
  arrived: boolean;
  busy: boolean;
  found: boolean;
  /** Why a file's lookup failed. */
  failure: Error | null;
  onChange: (criteria: Criteria) => void;
  onFind: () => void;
  onNewList: () => void;
}

/** The column types, as the server detected them and the user corrects them. */
export function ChooseColumns({
  criteria,
  arrived,
  busy,
  found,
  failure,
  onChange,
  onFind,
  onNewList,
}: Props) {
  const { list, columns, headerRows } = criteria;
  const heading = useRef<HTMLHeadingElement>(null);
  // Only when it appears. Later changes in it don't move the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (arrived) heading.current?.focus();
  }, []);
  const readColumns = useReadColumns();
  const lines = getLines(list);
  const samples = lines.slice(headerRows, headerRows + 3);
  const used = columns.filter(({ kind }) => kind);

  const split = (separator: Separator) => {
    if (list.from !== 'paste') return;
    readColumns.mutate(parseRows(list.text, separator), {
      onSuccess: (read) => onChange({ ...criteria, list: { ...list, separator }, ...read }),
    });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onFind();
  };
  const count = pluralize(countLines(list, headerRows), 'line');
  return (
    <SearchCard
      searching={busy}
      found={found}
      summary={[count, ...used.map((column) => `${getColumnName(column)} as ${getKindName(column)}`)]}
      onSubmit={submit}
      onReset={onNewList}
      searchLabel={`Look up ${count}`}
      resetLabel="New list"
    >
      <div className={`card-body ${styles.choice}`}>
        <h2 ref={heading} tabIndex={-1}>
          Columns
        </h2>
        {list.from === 'file' &&
          list.warnings.map((text) => (
            <Banner key={text} kind="warning">
              {text}
            </Banner>
          ))}
        {failure && <Banner kind="error">{formatFailure(failure)}</Banner>}
        {readColumns.error && <Banner kind="error">{formatFailure(readColumns.error)}</Banner>}
        {used.length > 0 ? (
          <p>
            We matched{' '}
            {used.map((column, at) => (
              <Fragment key={column.index}>
                {at > 0 && (at === used.length - 1 ? ' and ' : ', ')}
                {at === 0 && 'column '}
                <strong>{getColumnName(column)}</strong> as {getKindName(column)}
              </Fragment>
            ))}
            . {columns.length > used.length && 'Other columns are kept in the results. '}
            If anything's wrong, change it below.
          </p>
        ) : (
          <Banner kind="warning">Select what each column contains.</Banner>
        )}
        <div className="field-grid">
          {list.from === 'paste' && (
            <SelectInput
              label="Column separator"
              options={separators}
              value={list.separator}
              onChange={({ target }) => split(target.value as Separator)}
            />
          )}
          <SelectInput
            label="Headers"
            options={headingOptions}
            value={String(headerRows)}
            onChange={({ target }) => {
              const rows = Number(target.value);
              onChange({ ...criteria, headerRows: rows, columns: addHeadings(columns, lines, rows) });
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

const getKindName = ({ kind }: Column) => kinds[kind as Exclude<Kind, ''>];

const options = Object.entries(kinds).map(([value, label]) => ({ value, label: capitalize(label) }));

const separators: { value: Separator; label: string }[] = [
  { value: 'tab', label: 'Tabs' },
  { value: 'comma', label: 'Commas' },
  { value: 'none', label: 'None (single column)' },
];
