import { type Action, ActionMenu } from '../ActionMenu';
import { IconButton } from '../Button';
import { cx } from '../cx';
import { MoreIcon } from '../icons';
import styles from './DataTable.module.css';
import { type Column, columnText } from './state';

/** Only the row whose menu was last opened has one mounted; it stays so that the focus can return to its button. */
export type MenuState = 'none' | 'closed' | 'open';

interface Props<Row> {
  id: string;
  row: Row;
  columns: readonly Column<Row>[];
  selected?: boolean;
  selectionLabel?: string;
  selectionDisabled?: boolean;
  onSelect?: (on: boolean) => void;
  actions?: readonly Action[];
  menuLabel?: string;
  menu: MenuState;
  onMenu: (open: boolean) => void;
}

export function TableRow<Row>({
  row,
  columns,
  selected,
  selectionLabel,
  selectionDisabled,
  onSelect,
  actions,
  menuLabel,
  menu,
  onMenu,
}: Props<Row>) {
  const button = (
    <IconButton
      size="small"
      label={menuLabel ? `Actions for ${menuLabel}` : 'Actions'}
      aria-haspopup="menu"
      aria-expanded={menu === 'open'}
      onClick={() => onMenu(menu !== 'open')}
    >
      <MoreIcon />
    </IconButton>
  );
  return (
    <tr data-selected={selected || undefined}>
      {onSelect && (
        <td className={styles.check}>
          <input
            type="checkbox"
            aria-label={`Select ${selectionLabel}`}
            checked={selected}
            disabled={selectionDisabled}
            onChange={(event) => onSelect(event.target.checked)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={cx(column.align === 'end' && styles.end, column.wrap && styles.wrap)}>
          {column.cell ? column.cell(row) : columnText(column, row)}
        </td>
      ))}
      {actions && (
        <td className={styles.actions}>
          {actions.length > 0 &&
            (menu === 'none' ? (
              button
            ) : (
              <ActionMenu open={menu === 'open'} onOpenChange={onMenu} actions={actions}>
                {button}
              </ActionMenu>
            ))}
        </td>
      )}
    </tr>
  );
}
