import { memo } from 'react';
import { cx } from '../cx';
import '../form/layout.css';
import styles from './DataTable.module.css';
import type { Column, TableState } from './state';

interface HeadProps<Row> {
  columns: readonly Column<Row>[];
  sort: TableState['sort'];
  /** Must be stable, like `onFilter`, so that typing in one filter rerenders only that filter. */
  onSort: (sort: NonNullable<TableState['sort']>) => void;
  filters: TableState['filters'];
  onFilter: (id: string, value: string) => void;
  /** Makes the rows selectable. */
  selectAll?: SelectAllProps;
  /** The header of the menu column. Without it there is no such column. */
  actionsHeader?: string;
}

/** The column headers, which sort, and the filters below them. */
export function Head<Row>({
  columns,
  sort,
  onSort,
  filters,
  onFilter,
  selectAll,
  actionsHeader,
}: HeadProps<Row>) {
  return (
    <thead>
      <tr>
        {selectAll && <SelectAllCell {...selectAll} />}
        {columns.map((column) => (
          <HeadCell
            key={column.id}
            column={column}
            sorted={sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined}
            onSort={onSort}
          />
        ))}
        {actionsHeader !== undefined && (
          <th scope="col" className={styles.actions}>
            <span className={cx(styles.plain, styles.menus)}>{actionsHeader}</span>
          </th>
        )}
      </tr>
      {columns.some(isFilterable) && (
        <tr className={styles.filters}>
          {selectAll && <td />}
          {columns.map((column) => (
            <td key={column.id} className={cx(column.pinned && styles.actions)}>
              {isFilterable(column) && (
                <FilterInput column={column} value={filters[column.id] ?? ''} onFilter={onFilter} />
              )}
            </td>
          ))}
          {actionsHeader !== undefined && <td className={styles.actions} />}
        </tr>
      )}
    </thead>
  );
}

const isFilterable = (column: { filterable?: boolean }) => column.filterable !== false;

interface HeadCellProps<Row> {
  column: Column<Row>;
  sorted?: 'ascending' | 'descending';
  onSort: HeadProps<Row>['onSort'];
}

function Name<Row>({ column, sorted, onSort }: HeadCellProps<Row>) {
  const className = cx(column.align === 'end' && styles.end, column.pinned && styles.actions);
  const style = { minWidth: column.minWidth };
  if (column.sortable === false)
    return (
      <th scope="col" className={className} style={style}>
        <span className={styles.plain}>{column.header}</span>
      </th>
    );
  return (
    <th scope="col" className={className} style={style} aria-sort={sorted ?? 'none'}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ id: column.id, desc: sorted === 'ascending' })}
      >
        {column.header}
        <svg className={styles.arrows} viewBox="0 0 8 12" width="0.5rem" height="0.75rem" aria-hidden="true">
          <path d="M4 0 7.5 5h-7Z" data-on={sorted === 'ascending' || undefined} />
          <path d="M4 12 .5 7h7Z" data-on={sorted === 'descending' || undefined} />
        </svg>
      </button>
    </th>
  );
}

const HeadCell = memo(Name) as typeof Name;

interface FilterProps<Row> {
  column: Column<Row>;
  value: string;
  onFilter: HeadProps<Row>['onFilter'];
}

function Filter<Row>({ column, value, onFilter }: FilterProps<Row>) {
  const label = `Filter by ${column.header}`;
  if (column.choices)
    return (
      <select aria-label={label} value={value} onChange={(event) => onFilter(column.id, event.target.value)}>
        <option value="">All</option>
        {column.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  return (
    <input
      type="text"
      autoComplete="off"
      aria-label={label}
      value={value}
      onChange={(event) => onFilter(column.id, event.target.value)}
    />
  );
}

const FilterInput = memo(Filter) as typeof Filter;

interface SelectAllProps {
  header?: string;
  state: boolean | 'mixed';
  disabled: boolean;
  onChange: (on: boolean) => void;
}

function SelectAllCell({ header, state, disabled, onChange }: SelectAllProps) {
  return (
    <th scope="col" className={styles.check}>
      <div className={styles.headed}>
        <input
          type="checkbox"
          aria-label="Select all rows"
          checked={state === true}
          disabled={disabled}
          ref={(box) => {
            if (box) box.indeterminate = state === 'mixed';
          }}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={cx(!header && 'visually-hidden')}>{header ?? 'Select'}</span>
      </div>
    </th>
  );
}
