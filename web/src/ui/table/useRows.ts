import {
  columnFilteringFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useDeferredValue, useEffect, useEffectEvent, useMemo } from 'react';
import { lazyValue } from '../lazyValue';
import { matchesFilter } from './matches';
import type { DataTableProps } from './props';
import { type Column, getColumnText, type TableState } from './state';

// The owner has the selection as a set of ids, including rows of other pages: the library's own
// feature would add 1.6 KB to each screen.
const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  rowPaginationFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

interface Props<Row>
  extends Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowId' | 'server' | 'selection'> {
  /** All rows are on one page. */
  unpaged: boolean;
  state: TableState;
  onStateChange: (state: TableState) => void;
}

/** A table's rows by its state: filtered, sorted and paged. */
export function useRows<Row extends object>({
  columns,
  rows,
  rowId,
  server,
  selection,
  unpaged,
  state,
  onStateChange,
}: Props<Row>) {
  const onServer = server !== undefined;
  // Typed text shows immediately. The rows follow in small steps that the next keystroke
  // interrupts.
  const settled = useDeferredValue(state);
  const { sort, filters, ...paged } = onServer ? state : settled;
  const definitions = useMemo(() => columns.map((column) => makeDefinition(column)), [columns]);
  const sorting = useMemo(() => (sort ? [sort] : []), [sort]);
  const columnFilters = useMemo(
    () => Object.entries(filters).map(([id, value]) => ({ id, value })),
    [filters],
  );
  const pageSize = unpaged ? Math.max(rows.length, 1) : paged.pageSize;
  const pageIndex = unpaged ? 0 : paged.page;
  const pagination = useMemo(() => ({ pageIndex, pageSize }), [pageIndex, pageSize]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    state: { sorting, columnFilters, pagination },
    enableMultiSort: false,
    onPaginationChange: (change) => {
      const next = typeof change === 'function' ? change(pagination) : change;
      onStateChange({ ...state, page: next.pageIndex, pageSize: next.pageSize });
    },
    manualFiltering: onServer,
    manualSorting: onServer,
    manualPagination: onServer,
    rowCount: server?.count,
    autoResetPageIndex: false,
  });

  const found = table.getSortedRowModel().rows;
  const count = server?.count ?? found.length;
  const page = Math.min(pageIndex, Math.max(Math.ceil(count / pageSize) - 1, 0));
  // The server now has fewer pages, so request the last one.
  const isPastEnd = onServer && count > 0 && page < pageIndex;
  const openPage = useEffectEvent((page: number) => onStateChange({ ...state, page }));
  useEffect(() => {
    if (isPastEnd) openPage(page);
  }, [isPastEnd, page]);

  const pageRows = table.getRowModel().rows;
  const shown = useMemo(() => {
    // Rows may have disappeared since the page was selected.
    const rows =
      onServer || page === pageIndex ? pageRows : found.slice(page * pageSize, (page + 1) * pageSize);
    return rows.map(({ id, original }) => ({ id, row: original }));
  }, [onServer, pageRows, found, page, pageIndex, pageSize]);
  // Visit thousands of rows only if some can be selected.
  const selectable = useMemo(
    () => (selection ? found.filter((row) => !isDisabled(selection, row.original)) : []),
    [found, selection],
  );
  const all = useMemo(
    () => getSelectionState(selection, selectable.length > 0 ? selectable : found),
    [selection, selectable, found],
  );

  return {
    table,
    /** All filtered rows that are loaded; with a server, only its page. */
    found,
    /** The number of filtered rows, loaded or not. */
    count,
    page,
    pageSize,
    shown,
    selectable,
    allSelected: all,
    select(ids: readonly string[], on: boolean) {
      const next = new Set(selection?.selected);
      for (const id of ids) {
        if (on) next.add(id);
        else next.delete(id);
      }
      selection?.onChange(next);
    },
    isDisabled: (row: Row) => isDisabled(selection, row),
  };
}

function getSelectionState<Row>(
  selection: DataTableProps<Row>['selection'],
  rows: readonly { id: string }[],
): boolean | 'mixed' {
  if (!selection) return false;
  const selected = rows.filter(({ id }) => selection.selected.has(id)).length;
  return selected === 0 ? false : selected === rows.length ? true : 'mixed';
}

function isDisabled<Row>(selection: DataTableProps<Row>['selection'], row: Row): boolean {
  return typeof selection?.disabled === 'function' ? selection.disabled(row) : Boolean(selection?.disabled);
}

const collator = lazyValue(() => new Intl.Collator('en', { sensitivity: 'accent' }));

function makeDefinition<Row extends object>(column: Column<Row>) {
  // Each keystroke needs the text of every row, and formatting a date is slow.
  const texts = new WeakMap<Row, string>();
  const getText = (row: Row) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = getColumnText(column, row);
      if (!column.choices) text = text.toLowerCase();
      texts.set(row, text);
    }
    return text;
  };
  return {
    id: column.id,
    // Empty values sort last in both directions.
    accessorFn: (row: Row) => {
      const value = column.value(row);
      return value === null || value === '' ? undefined : value;
    },
    sortUndefined: 'last' as const,
    sortFn: (a: { original: Row }, b: { original: Row }) =>
      compare(column.value(a.original), column.value(b.original)),
    filterFn: (row: { original: Row }, _: string, typed: string) =>
      column.choices
        ? getText(row.original) === typed
        : matchesFilter(getText(row.original), typed.trim().toLowerCase()),
  };
}

function compare(a: string | number | null | undefined, b: string | number | null | undefined) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator().compare(String(a), String(b));
}
