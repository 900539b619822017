import { type KeyboardEvent, useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../Button';
import { cx } from '../cx';
import { formatCount } from '../format';
import { Empty, Failed, Loading, retrievalError, retrievingText, Stale } from '../PageState';
import { useStableCallback } from '../useStableCallback';
import styles from './DataTable.module.css';
import { ExportMenu } from './ExportMenu';
import { Head } from './Head';
import { Pager } from './Pager';
import type { DataTableProps } from './props';
import { type TableShape, wholeShape } from './shape';
import { pageSizes, type TableState, tableState } from './state';
import { TableRow } from './TableRow';
import { useFilters } from './useFilters';
import { useNarrow } from './useNarrow';
import { useOverflow } from './useOverflow';
import { useRows } from './useRows';

// This many rows or cards render first. The rest of a long page follows when the browser is
// idle.
const initialRows = 40;
const initialCards = 10;

// Tables with more columns than this are more compact.
const compactAbove = 10;

/**
 * Every table of the portal: filters, sorting, pages, selection, row actions, export, and all
 * states.
 */
export function DataTable<Row extends object>({
  title,
  headingLevel = 2,
  counted = 'found',
  titleHidden,
  columns: allColumns,
  shape = wholeShape,
  onShapeChange,
  chooser: Chooser,
  rows,
  server,
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
  menu: Menu,
  rowActions,
  actionsHeader = 'Actions',
  rowLabel,
  detail,
  toolbar,
  exportAs,
  notice,
}: DataTableProps<Row>) {
  const columns = useMemo(
    () => (shape.hidden.length > 0 ? allColumns.filter((column) => isShown(column, shape)) : allColumns),
    [allColumns, shape],
  );
  const hideable = useMemo(() => allColumns.filter(isHideable), [allColumns]);
  const [ownState, setOwnState] = useState(() => tableState(initial));
  const state = givenState ?? ownState;
  const setState = onStateChange ?? setOwnState;
  const [openedMenu, setMenu] = useState<{ id: string; open: boolean } | null>(null);
  const { ref: scroller, overflows } = useOverflow<HTMLDivElement>();
  const body = useRef<HTMLTableSectionElement>(null);
  const cards = useNarrow(columns.length);
  const atOnce = cards ? initialCards : initialRows;
  const id = useId();

  const { filters, filter, clear } = useFilters(state, setState, server !== undefined);
  const { table, found, count, page, pageSize, shown, selectable, allSelected, select, isDisabled } = useRows(
    {
      columns,
      rows,
      rowId,
      server,
      selection,
      paging,
      state,
      onStateChange: setState,
    },
  );
  const later = useDeferredValue(
    useMemo(() => shown.slice(atOnce), [shown, atOnce]),
    [],
  );

  // Stable functions, so that unchanged rows, filters and pages don't rerender.
  const selectRow = useStableCallback((key: string, on: boolean) => select([key], on));
  const selectAll = (on: boolean) =>
    select(
      selectable.map((row) => row.id),
      on,
    );
  const sortBy = useStableCallback((sort: TableState['sort']) => setState({ ...state, sort, page: 0 }));
  const turnTo = useStableCallback((page: number) => table.setPagination({ pageIndex: page, pageSize }));
  const showAtOnce = useStableCallback((rows: number) =>
    table.setPagination({ pageIndex: 0, pageSize: rows }),
  );
  const openMenu = useCallback((key: string, open: boolean) => setMenu({ id: key, open }), []);

  const filtered = Object.values(filters).some((value) => value.trim() !== '');
  // Sort buttons and filters come before the first row. A skip link passes them.
  const filterable = columns.some(({ filterable }) => filterable !== false);
  const failed = status === 'failed';
  // A failed or empty server page still shows the filters and the pager, so that users can leave
  // it.
  const hasGrid = server ? count > 0 || filtered : !failed && rows.length > 0;
  const Heading = `h${headingLevel}` as const;
  const pager = (label: string) => (
    <Pager
      label={label}
      page={page}
      pageSize={pageSize}
      count={count}
      options={pageSizeOptions}
      onPage={turnTo}
      onPageSize={showAtOnce}
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
      selectionDisabled={isDisabled(row)}
      onSelect={selection && selectRow}
      hasMenu={rowActions && rowActions(row).length > 0}
      Menu={Menu}
      actions={openedMenu?.id === key ? rowActions?.(row) : undefined}
      menuLabel={rowLabel?.(row)}
      menuOpen={openedMenu?.id === key && openedMenu.open}
      onMenu={openMenu}
      detail={detail}
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
          <Heading
            id={`${id}-title`}
            aria-describedby={`${id}-count`}
            className={cx(titleHidden && 'visually-hidden')}
          >
            {title}
          </Heading>
          <p id={`${id}-count`} className={styles.count} role="status">
            {rows.length > 0 &&
              !(server && failed) &&
              (server && status === 'loading'
                ? (loadingText ?? retrievingText)
                : !server?.counting &&
                  countText(counted, count, server ? count : rows.length, selection?.selected.size ?? 0))}
          </p>
        </div>
        <div className={styles.tools}>
          {selection?.allLabel && rows.length > 0 && (
            <Button disabled={selectable.length === 0} onClick={() => selectAll(true)}>
              {selection.allLabel}
            </Button>
          )}
          {typeof toolbar === 'function' ? toolbar(found.map((row) => row.original)) : toolbar}
          {Chooser && onShapeChange && <Chooser columns={hideable} shape={shape} onChange={onShapeChange} />}
          {exportAs && Menu && (!server || server.exportRows) && (
            <ExportMenu
              Menu={Menu}
              fileName={exportAs}
              disabled={count === 0}
              count={count}
              columns={columns}
              rows={() => server?.exportRows?.() ?? [found.map((row) => row.original)]}
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
      {hasGrid && (
        <>
          {paging === 'both' && <div className={styles.top}>{pager(`${title}, above the table`)}</div>}
          {filterable && shown.length > 0 && (
            <button type="button" className={styles.skip} onClick={() => body.current?.focus()}>
              Skip to rows
            </button>
          )}
          {/* A scrolling region must be focusable and have a name. */}
          <div
            ref={scroller}
            className={styles.scroller}
            data-overflows={overflows || undefined}
            {...(overflows ? { role: 'region', 'aria-label': `${title}, scrollable`, tabIndex: 0 } : {})}
          >
            <table
              className={cx(
                styles.grid,
                cards && styles.cards,
                columns.length > compactAbove && styles.dense,
                shape.compact && styles.compact,
              )}
              aria-labelledby={`${id}-title`}
              onKeyDown={blockEnter}
            >
              <Head
                columns={columns}
                sort={state.sort}
                onSort={sortBy}
                filters={filters}
                onFilter={filter}
                selectAll={
                  selection && {
                    header: selection.header,
                    state: allSelected,
                    disabled: selectable.length === 0,
                    onChange: selectAll,
                  }
                }
                actionsHeader={rowActions && actionsHeader}
              />
              <tbody ref={body} tabIndex={-1}>
                {!failed && shown.slice(0, atOnce).map(toRow)}
                {!failed && shown.length > atOnce && later.map(toRow)}
              </tbody>
            </table>
          </div>
        </>
      )}
      {failed ? (
        <Failed message={failure} onRetry={onRetry} />
      ) : found.length > 0 ? null : status === 'loading' && rows.length === 0 ? (
        <Loading>{loadingText}</Loading>
      ) : !hasGrid ? (
        <Empty>{empty}</Empty>
      ) : (
        filtered && (
          <Empty title={noMatch}>
            <Button size="small" onClick={clear}>
              Clear filters
            </Button>
          </Empty>
        )
      )}
      {hasGrid && paging !== 'none' && pager(title)}
    </section>
  );
}

/** The columns that identify rows or have their buttons can't be hidden. */
const isHideable = ({ lead, pinned }: { lead?: boolean; pinned?: boolean }) => !lead && !pinned;

const isShown = (column: { id: string; lead?: boolean; pinned?: boolean }, { hidden }: TableShape) =>
  !isHideable(column) || !hidden.includes(column.id);

/** A table can be inside a form: Enter in a filter or on a checkbox must not submit it. */
function blockEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

function countText(counted: string, found: number, all: number, selected: number) {
  const count =
    found === all ? `${formatCount(all)} ${counted}` : `${formatCount(found)} of ${formatCount(all)}`;
  return selected > 0 ? `${count}, ${formatCount(selected)} selected` : count;
}
