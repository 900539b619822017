import { memo, type ReactNode } from 'react';
import type { Action, ActionMenu } from '../ActionMenu';
import { IconButton } from '../Button';
import { cx } from '../cx';
import { MoreIcon } from '../icons';
import styles from './DataTable.module.css';
import { type Column, getColumnText } from './state';

interface Props<Data> {
  id: string;
  row: Data;
  columns: readonly Column<Data>[];
  selected?: boolean;
  selectionLabel?: string;
  selectionDisabled?: boolean;
  onSelect?: (id: string, on: boolean) => void;
  /** Focuses the actions on the selected rows. */
  onSkip?: () => void;
  hasMenu: boolean | undefined;
  /** The actions of the row with the open menu, or the last one. */
  actions?: readonly Action[];
  Menu?: typeof ActionMenu;
  menuLabel?: string;
  menuOpen: boolean;
  onMenu: (id: string, open: boolean) => void;
  detail?: (row: Data) => ReactNode;
}

const noActions: readonly Action[] = [];

function Row<Data>({
  id,
  row,
  columns,
  selected,
  selectionLabel,
  selectionDisabled,
  onSelect,
  onSkip,
  hasMenu,
  actions = noActions,
  Menu,
  menuLabel,
  menuOpen,
  onMenu,
  detail,
}: Props<Data>) {
  const lead = columns.find(({ lead }) => lead) ?? columns[0];
  const below = detail?.(row);
  const shown = (
    <tr data-selected={selected || undefined}>
      {onSelect && (
        <td className={styles.check}>
          <input
            type="checkbox"
            aria-label={`Select ${selectionLabel}`}
            checked={selected}
            disabled={selectionDisabled}
            onChange={(event) => onSelect(id, event.target.checked)}
          />
          {selected && onSkip && (
            <button type="button" className={styles.skip} onClick={onSkip}>
              Skip to actions
            </button>
          )}
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-label={column.header}
          data-brief={column.brief}
          className={cx(
            column === lead && styles.lead,
            column.align === 'end' && styles.end,
            column.wrap && styles.wrap,
            column.pinned && styles.actions,
          )}
        >
          {column.cell ? column.cell(row) : getColumnText(column, row)}
        </td>
      ))}
      {hasMenu !== undefined && (
        <td className={cx(styles.actions, styles.menu)}>
          {hasMenu && Menu && (
            <Menu open={menuOpen} onOpenChange={(open) => onMenu(id, open)} actions={actions}>
              <IconButton size="small" label={menuLabel ? `Actions for ${menuLabel}` : 'Actions'}>
                <MoreIcon />
              </IconButton>
            </Menu>
          )}
        </td>
      )}
    </tr>
  );
  if (!below) return shown;
  return (
    <>
      {shown}
      <tr className={styles.detail}>
        <td colSpan={columns.length + Number(onSelect !== undefined) + Number(hasMenu !== undefined)}>
          {below}
        </td>
      </tr>
    </>
  );
}

/** A row rerenders only when it changes, so that typing stays fast on long pages. */
export const TableRow = memo(Row) as typeof Row;
