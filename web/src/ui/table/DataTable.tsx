import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../Button';
import { Empty, Failed, Loading, retrievalError, Stale } from '../PageState';
import { useStableCallback } from '../useStableCallback';
import styles from './DataTable.module.css';
import { Pager } from './Pager';
import type { DataTableProps } from './props';
import { defaultShape, type TableShape } from './shape';
import { createTableState, pageSizes, type TableState } from './state';
import { TableBar } from './TableBar';
import { TableGrid } from './TableGrid';
import { useFilters } from './useFilters';
import { useRows } from './useRows';

/**
 * Every table of the portal: filters, sorting, pages, selection, row actions, export, and all
 * states.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    title,
    columns: allColumns,
    layout,
    rows,
    server,
    rowId,
    status = 'ready',
    onRetry,
    initial,
    controlled,
    pages: { sizes = pageSizes, position = 'bottom' } = {},
    selection,
    notice,
  } = props;
  const shape = layout?.shape ?? defaultShape;
  const columns = useMemo(
    () => (shape.hidden.length > 0 ? allColumns.filter((column) => isShown(column, shape)) : allColumns),
    [allColumns, shape],
  );
  const hideable = useMemo(() => allColumns.filter(isHideable), [allColumns]);
  const [ownState, setOwnState] = useState(() => createTableState(initial));
  const { state, onChange: setState } = controlled ?? { state: ownState, onChange: setOwnState };
  const id = useId();

  const { filters, filter, clear } = useFilters(state, setState, server !== undefined);
  const result = useRows({
    columns,
    rows,
    rowId,
    server,
    selection,
    unpaged: position === 'none',
    state,
    onStateChange: setState,
  });
  const { table, found, count, page, pageSize, selectable, select } = result;

  // Stable functions, so that unchanged filters and pages don't rerender.
  const sortBy = useStableCallback((sort: TableState['sort']) => setState({ ...state, sort, page: 0 }));
  const openPage = useStableCallback((page: number) => table.setPagination({ pageIndex: page, pageSize }));
  const setPageSize = useStableCallback((rows: number) =>
    table.setPagination({ pageIndex: 0, pageSize: rows }),
  );
  const selectAll = (on: boolean) =>
    select(
      selectable.map((row) => row.id),
      on,
    );

  // Deleted filters stay in the state until they're requested.
  const filtered = hasText(filters) || hasText(state.filters);
  const failed = status === 'failed';
  // The rows that deleted filters hid are still loading.
  const [wasFiltered, setWasFiltered] = useState(filtered);
  const isFiltered = filtered || (wasFiltered && status === 'loading');
  if (isFiltered !== wasFiltered) setWasFiltered(isFiltered);
  // A failed or empty server page still shows the filters and the pager, so that users can leave
  // it.
  const hasGrid = server ? count > 0 || isFiltered : !failed && rows.length > 0;
  const renderPager = (label: string) => (
    <Pager
      label={label}
      page={page}
      pageSize={pageSize}
      count={count}
      options={sizes}
      onPage={openPage}
      onPageSize={setPageSize}
    />
  );

  return (
    <section
      className={styles.table}
      aria-labelledby={`${id}-title`}
      aria-busy={status === 'loading' || undefined}
    >
      <TableBar
        {...props}
        {...{ id, columns, hideable, found, count }}
        canSelect={selectable.length > 0}
        onSelectAll={() => selectAll(true)}
      />
      {notice && <div className={styles.notice}>{notice}</div>}
      {status === 'stale' && onRetry && (
        <div className={styles.notice}>
          <Stale onRetry={onRetry} />
        </div>
      )}
      {hasGrid && (
        <>
          {position === 'both' && (
            <div className={styles.top}>{renderPager(`${title}, above the table`)}</div>
          )}
          <TableGrid
            {...props}
            {...{ id, columns, filters, failed }}
            compact={shape.compact}
            sort={state.sort}
            onSort={sortBy}
            onFilter={filter}
            page={result}
            onSelectAll={selectAll}
          />
        </>
      )}
      {(failed || found.length === 0) && (
        <NoRows {...props} {...{ hasGrid, filtered }} onClearFilters={clear} />
      )}
      {hasGrid && position !== 'none' && renderPager(title)}
    </section>
  );
}

type Texts = 'rows' | 'status' | 'loadingText' | 'empty' | 'noMatch' | 'failure' | 'onRetry';

interface NoRowsProps<Row> extends Pick<DataTableProps<Row>, Texts> {
  hasGrid: boolean;
  filtered: boolean;
  onClearFilters: () => void;
}

/** Shows why there are no rows. */
function NoRows<Row>({
  rows,
  status,
  loadingText,
  empty = 'No records found',
  noMatch = 'No rows match the filters',
  failure = retrievalError,
  onRetry,
  hasGrid,
  filtered,
  onClearFilters,
}: NoRowsProps<Row>): ReactNode {
  if (status === 'failed') return <Failed message={failure} onRetry={onRetry} />;
  if (status === 'loading' && rows.length === 0) return <Loading>{loadingText}</Loading>;
  if (!hasGrid) return <Empty>{empty}</Empty>;
  return (
    filtered && (
      <Empty title={noMatch}>
        <Button size="small" onClick={onClearFilters}>
          Clear filters
        </Button>
      </Empty>
    )
  );
}

const hasText = (filters: TableState['filters']) =>
  Object.values(filters).some((value) => value.trim() !== '');

/** The columns that identify rows or have their buttons can't be hidden. */
const isHideable = ({ lead, pinned }: { lead?: boolean; pinned?: boolean }) => !lead && !pinned;

const isShown = (column: { id: string; lead?: boolean; pinned?: boolean }, { hidden }: TableShape) =>
  !isHideable(column) || !hidden.includes(column.id);
