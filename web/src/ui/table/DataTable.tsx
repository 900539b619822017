import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Action } from '../ActionMenu';
import { Button } from '../Button';
import { cx } from '../cx';
import { formatCount } from '../format';
import { Empty, Failed, Loading, retrievalError, Stale } from '../PageState';
import styles from './DataTable.module.css';
import { ExportMenu } from './ExportMenu';
import { FilterInput, HeadCell, SelectAllCell } from './Head';
import { Pager } from './Pager';
import { type Column, columnText, pageSizes, type TableState, tableState } from './state';
import { type MenuState, TableRow } from './TableRow';
import { useOverflow } from './useOverflow';

export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names the row in its checkbox's label, such as a TIN. */
  label: (row: Row) => string;
  /** True for all rows, or row by row. */
  disabled?: boolean | ((row: Row) => boolean);
  /** Stands beside the head's checkbox, where choosing a row is for one thing only. */
  header?: string;
  /** With it a button beside the title selects all rows that the filters leave, as the head's checkbox does. */
  allLabel?: string;
}

interface DataTableProps<Row> {
  /** Stands above the table and names it. */
  title: string;
  headingLevel?: 2 | 3 | 4;
  /** Keeps the title for screen readers where the page shows it already. */
  titleHidden?: boolean;
  /** Keep it at module scope or memoised: each new array is a new table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  status?: 'ready' | 'loading' | 'failed' | 'stale';
  /** Said while loading, when there is nothing to show, and when loading failed. */
  loadingText?: string;
  empty?: ReactNode;
  /** Said when the filters leave no row. */
  noMatch?: ReactNode;
  failure?: ReactNode;
  onRetry?: () => void;
  /** How the table starts; with `state` and `onStateChange` its owner keeps what is done to it. */
  initial?: Partial<TableState>;
  state?: TableState;
  onStateChange?: (state: TableState) => void;
  pageSizeOptions?: readonly number[];
  paging?: 'bottom' | 'both' | 'none';
  selection?: Selection<Row>;
  /** The actions of a row's menu; a row without any has no menu. */
  rowActions?: (row: Row) => readonly Action[];
  /** Heads the column of the menus. */
  actionsHeader?: string;
  /** Names the row in the label of its menu. */
  rowLabel?: (row: Row) => string;
  /** Buttons beside the title. */
  toolbar?: ReactNode;
  /** Offers what is shown (filtered and sorted) as XLSX and CSV under this file name. */
  exportAs?: string;
  /** A notice between the title and the table. */
  notice?: ReactNode;
}

const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
});
const collator = new Intl.Collator('en', { sensitivity: 'accent' });

// So many rows are drawn at once; the rest of a long page follows when the browser has time.
const drawnAtOnce = 40;

/** Every table of the portal: filters, sort, pages, selection, row actions, export, and each of its states. */
export function DataTable<Row extends object>({
  title,
  headingLevel = 2,
  titleHidden,
  columns,
  rows,
  rowId,
  status = 'ready',
  loadingText,
  empty = 'No records found',
  noMatch = 'No rows match the filters',
  failure = retrievalError,
  onRetry,
  initial,
  state: givenState,
  onStateChange,
  pageSizeOptions = pageSizes,
  paging = 'bottom',
  selection,
  rowActions,
  actionsHeader = 'Actions',
  rowLabel,
  toolbar,
  exportAs,
  notice,
}: DataTableProps<Row>) {
  const [ownState, setOwnState] = useState(() => tableState(initial));
  const state = givenState ?? ownState;
  const setState = onStateChange ?? setOwnState;
  const [menu, setMenu] = useState<{ id: string; open: boolean } | null>(null);
  const { ref: scroller, overflows } = useOverflow<HTMLDivElement>();
  const id = useId();

  const definitions = useMemo(() => columns.map((column) => definition(column)), [columns]);
  const { sort, filters } = state;
  const sorting = useMemo(() => (sort ? [sort] : []), [sort]);
  const columnFilters = useMemo(
    () => Object.entries(filters).map(([columnId, value]) => ({ id: columnId, value })),
    [filters],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    state: { sorting, columnFilters },
    enableMultiSort: false,
  });

  const found = table.getRowModel().rows;
  const pageSize = paging === 'none' ? Math.max(found.length, 1) : state.pageSize;
  const lastPage = Math.max(Math.ceil(found.length / pageSize) - 1, 0);
  // Rows can have gone since the page was chosen.
  const page = Math.min(state.page, lastPage);
  const shown = useMemo(
    () =>
      found.slice(page * pageSize, (page + 1) * pageSize).map((row) => ({ id: row.id, row: row.original })),
    [found, page, pageSize],
  );
  const later = useDeferredValue(
    useMemo(() => shown.slice(drawnAtOnce), [shown]),
    [],
  );

  // The same functions at every drawing, so that rows that did not change are not drawn again.
  const latestSelection = useRef(selection);
  useLayoutEffect(() => {
    latestSelection.current = selection;
  });
  const select = useCallback((key: string, on: boolean) => {
    const current = latestSelection.current;
    current?.onChange(withRows(current.selected, [key], on));
  }, []);
  const openMenu = useCallback((key: string, open: boolean) => setMenu({ id: key, open }), []);

  const free = found.filter((row) => !isDisabled(selection, row.original));
  const selectAll = (on: boolean) =>
    selection?.onChange(
      withRows(
        selection.selected,
        free.map((row) => row.id),
        on,
      ),
    );

  const filtered = columnFilters.some(({ value }) => value.trim() !== '');
  const hasMenus = rowActions !== undefined;
  const Heading = `h${headingLevel}` as const;
  const pager = (label: string) => (
    <Pager
      label={label}
      page={page}
      pageSize={pageSize}
      count={found.length}
      options={pageSizeOptions}
      onPage={(next) => setState({ ...state, page: next })}
      onPageSize={(next) => setState({ ...state, pageSize: next, page: 0 })}
    />
  );
  const toRow = ({ id: key, row }: { id: string; row: Row }) => (
    <TableRow
      key={key}
      id={key}
      row={row}
      columns={columns}
      selected={selection?.selected.has(key)}
      selectionLabel={selection?.label(row)}
      selectionDisabled={isDisabled(selection, row)}
      onSelect={selection && select}
      hasMenu={rowActions && rowActions(row).length > 0}
      actions={menu?.id === key ? rowActions?.(row) : undefined}
      menuLabel={rowLabel?.(row)}
      menu={menuState(menu, key)}
      onMenu={openMenu}
    />
  );

  return (
    <section
      className={styles.table}
      aria-labelledby={`${id}-title`}
      aria-busy={status === 'loading' || undefined}
    >
      <div
        className={cx(
          styles.bar,
          titleHidden && !toolbar && !selection?.allLabel && !exportAs && 'visually-hidden',
        )}
      >
        <div className={styles.heading}>
          <Heading id={`${id}-title`} className={cx(titleHidden && 'visually-hidden')}>
            {title}
          </Heading>
          <p className={styles.count} role="status">
            {rows.length > 0 && countText(found.length, rows.length, selection?.selected.size ?? 0)}
          </p>
        </div>
        <div className={styles.tools}>
          {selection?.allLabel && rows.length > 0 && (
            <Button disabled={free.length === 0} onClick={() => selectAll(true)}>
              {selection.allLabel}
            </Button>
          )}
          {toolbar}
          {exportAs && (
            <ExportMenu
              fileName={exportAs}
              disabled={found.length === 0}
              columns={columns}
              rows={() => found.map((row) => row.original)}
            />
          )}
        </div>
      </div>
      {notice && <div className={styles.notice}>{notice}</div>}
      {status === 'stale' && onRetry && (
        <div className={styles.notice}>
          <Stale onRetry={onRetry} />
        </div>
      )}
      {status === 'failed' ? (
        <Failed message={failure} onRetry={onRetry} />
      ) : rows.length === 0 ? (
        status === 'loading' ? (
          <Loading>{loadingText}</Loading>
        ) : (
          <Empty>{empty}</Empty>
        )
      ) : (
        <>
          {paging === 'both' && <div className={styles.top}>{pager(`${title}, above the table`)}</div>}
          {/* A region that scrolls must be reachable by keyboard and have a name. */}
          <div
            ref={scroller}
            className={styles.scroller}
            data-overflows={overflows || undefined}
            {...(overflows
              ? { role: 'region', 'aria-label': `${title}, scrolls sideways`, tabIndex: 0 }
              : {})}
          >
            <table className={styles.grid} aria-labelledby={`${id}-title`} onKeyDown={holdBackEnter}>
              <thead>
                <tr>
                  {selection && (
                    <SelectAllCell
                      header={selection.header}
                      state={selectAllState(selection, free.length > 0 ? free : found)}
                      disabled={free.length === 0}
                      onChange={selectAll}
                    />
                  )}
                  {columns.map((column) => (
                    <HeadCell
                      key={column.id}
                      column={column}
                      sorted={sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined}
                      onSort={() =>
                        setState({
                          ...state,
                          sort: { id: column.id, desc: sort?.id === column.id && !sort.desc },
                          page: 0,
                        })
                      }
                    />
                  ))}
                  {hasMenus && (
                    <th scope="col" className={styles.actions}>
                      {actionsHeader}
                    </th>
                  )}
                </tr>
                {columns.some(isFilterable) && (
                  <tr className={styles.filters}>
                    {selection && <td />}
                    {columns.map((column) => (
                      <td key={column.id} className={cx(column.pinned && styles.actions)}>
                        {isFilterable(column) && (
                          <FilterInput
                            column={column}
                            value={filters[column.id] ?? ''}
                            onChange={(value) =>
                              setState({
                                ...state,
                                filters: withFilter(filters, column.id, value),
                                page: 0,
                              })
                            }
                          />
                        )}
                      </td>
                    ))}
                    {hasMenus && <td className={styles.actions} />}
                  </tr>
                )}
              </thead>
              <tbody>
                {shown.slice(0, drawnAtOnce).map(toRow)}
                {shown.length > drawnAtOnce && later.map(toRow)}
              </tbody>
            </table>
          </div>
          {found.length === 0 && filtered && (
            <Empty title={noMatch}>
              <Button size="small" onClick={() => setState({ ...state, filters: {}, page: 0 })}>
                Clear filters
              </Button>
            </Empty>
          )}
          {paging !== 'none' && pager(title)}
        </>
      )}
    </section>
  );
}

/** A table may stand in a form: Enter in a filter or on a checkbox does not send it. */
function holdBackEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

const isFilterable = (column: { filterable?: boolean }) => column.filterable !== false;

function definition<Row extends object>(column: Column<Row>) {
  return {
    id: column.id,
    // Nothing sorts last, whatever the direction.
    accessorFn: (row: Row) => {
      const value = column.value(row);
      return value === null || value === '' ? undefined : value;
    },
    sortUndefined: 'last' as const,
    sortFn: (a: { original: Row }, b: { original: Row }) =>
      compare(column.value(a.original), column.value(b.original)),
    filterFn: (row: { original: Row }, _: string, typed: string) =>
      column.choices
        ? columnText(column, row.original) === typed
        : columnText(column, row.original).toLowerCase().includes(typed.trim().toLowerCase()),
  };
}

function compare(a: string | number | null | undefined, b: string | number | null | undefined) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

function withFilter(filters: Record<string, string>, id: string, value: string) {
  const { [id]: _, ...others } = filters;
  return value === '' ? others : { ...others, [id]: value };
}

function withRows(selected: ReadonlySet<string>, ids: readonly string[], on: boolean) {
  const next = new Set(selected);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

function isDisabled<Row>(selection: Selection<Row> | undefined, row: Row): boolean {
  return typeof selection?.disabled === 'function' ? selection.disabled(row) : Boolean(selection?.disabled);
}

function selectAllState<Row>(selection: Selection<Row>, found: readonly { id: string }[]): boolean | 'mixed' {
  const chosen = found.filter((row) => selection.selected.has(row.id)).length;
  return chosen === 0 ? false : chosen === found.length ? true : 'mixed';
}

function menuState(menu: { id: string; open: boolean } | null, id: string): MenuState {
  if (menu?.id !== id) return 'none';
  return menu.open ? 'open' : 'closed';
}

function countText(found: number, all: number, selected: number) {
  const count = found === all ? `${formatCount(all)} found` : `${formatCount(found)} of ${formatCount(all)}`;
  return selected > 0 ? `${count}, ${formatCount(selected)} selected` : count;
}
