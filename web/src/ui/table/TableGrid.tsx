import { type KeyboardEvent, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { cx } from '../cx';
import { useStableCallback } from '../useStableCallback';
import styles from './DataTable.module.css';
import { Head } from './Head';
import type { DataTableProps } from './props';
import type { Column, TableState } from './state';
import { TableRow } from './TableRow';
import { useNarrow } from './useNarrow';
import { useOverflow } from './useOverflow';
import type { useRows } from './useRows';

// This many rows or cards render first. The rest of a long page follows when the browser is
// idle.
const initialRows = 40;
const initialCards = 10;

// Tables with more columns than this are more compact.
const compactAbove = 10;

type FromTable = 'title' | 'selection' | 'toolbar' | 'rowMenu' | 'detail';

interface Props<Row extends object> extends Pick<DataTableProps<Row>, FromTable> {
  id: string;
  columns: readonly Column<Row>[];
  compact: boolean;
  sort: TableState['sort'];
  onSort: (sort: TableState['sort']) => void;
  filters: TableState['filters'];
  onFilter: (id: string, value: string) => void;
  page: ReturnType<typeof useRows<Row>>;
  failed: boolean;
  onSelectAll: (on: boolean) => void;
}

/** The column headers and the page's rows, as a table or as cards. */
export function TableGrid<Row extends object>({
  title,
  selection,
  toolbar,
  rowMenu,
  detail,
  id,
  columns,
  compact,
  sort,
  onSort,
  filters,
  onFilter,
  page: { count, shown, selectable, allSelected, select, isDisabled },
  failed,
  onSelectAll,
}: Props<Row>) {
  const [openedMenu, setMenu] = useState<{ id: string; open: boolean } | null>(null);
  const openMenu = useCallback((key: string, open: boolean) => setMenu({ id: key, open }), []);
  const { ref: scroller, overflows } = useOverflow<HTMLDivElement>();
  const body = useRef<HTMLTableSectionElement>(null);
  const cards = useNarrow(columns.length);
  const atOnce = cards ? initialCards : initialRows;
  const later = useDeferredValue(
    useMemo(() => shown.slice(atOnce), [shown, atOnce]),
    [],
  );
  // Stable, so that unchanged rows don't rerender.
  const selectRow = useStableCallback((key: string, on: boolean) => select([key], on));
  // The actions come before the rows, which have many tab stops.
  const focusActions = useCallback(
    () => document.querySelector<HTMLElement>(`[id="${id}-tools"] :is(button, a)`)?.focus(),
    [id],
  );
  // Sort buttons and filters come before the first row. A skip link passes them.
  const filterable = columns.some(({ filterable }) => filterable !== false);
  const renderRow = ({ id: key, row }: { id: string; row: Row }) => (
    <TableRow
      key={key}
      id={key}
      row={row}
      columns={columns}
      selected={selection?.selected.has(key)}
      selectionLabel={selection?.label(row)}
      selectionDisabled={isDisabled(row)}
      onSelect={selection && selectRow}
      onSkip={toolbar ? focusActions : undefined}
      hasMenu={rowMenu?.actions && rowMenu.actions(row).length > 0}
      Menu={rowMenu?.menu}
      actions={openedMenu?.id === key ? rowMenu?.actions?.(row) : undefined}
      menuLabel={rowMenu?.label?.(row)}
      menuOpen={openedMenu?.id === key && openedMenu.open}
      onMenu={openMenu}
      detail={detail}
    />
  );
  return (
    <>
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
            compact && styles.compact,
          )}
          // The Workspace hides the filters of a few rows.
          data-few={(count < 3 && !Object.values(filters).join('')) || undefined}
          data-cards={cards || undefined}
          aria-labelledby={`${id}-title`}
          onKeyDown={blockEnter}
        >
          <Head
            columns={columns}
            sort={sort}
            onSort={onSort}
            filters={filters}
            onFilter={onFilter}
            selectAll={
              selection && {
                header: selection.header,
                state: allSelected,
                disabled: selectable.length === 0,
                onChange: onSelectAll,
              }
            }
            actionsHeader={rowMenu?.actions && (rowMenu.header ?? 'Actions')}
          />
          <tbody ref={body} tabIndex={-1}>
            {!failed && shown.slice(0, atOnce).map(renderRow)}
            {!failed && shown.length > atOnce && later.map(renderRow)}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A table can be inside a form: Enter in a filter or on a checkbox must not submit it. */
function blockEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}
