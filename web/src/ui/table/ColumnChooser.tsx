import { memo } from 'react';
import { Button } from '../Button';
import { CheckboxInput } from '../form/inputs';
import { Popover } from '../Popover';
import styles from './DataTable.module.css';
import type { TableShape } from './shape';

interface Props {
  /** The columns that can be hidden. */
  columns: readonly { id: string; header: string }[];
  shape: TableShape;
  onChange: (shape: TableShape) => void;
}

/** Selects the visible columns and the row height. */
export const ColumnChooser = memo(function ColumnChooser({ columns, shape, onChange }: Props) {
  const { hidden, compact } = shape;
  const show = (id: string, on: boolean) =>
    onChange({ ...shape, hidden: on ? hidden.filter((one) => one !== id) : [...hidden, id] });
  return (
    <Popover
      button={
        <Button size="small">
          Columns
          {columns.some(({ id }) => hidden.includes(id)) &&
            ` (${columns.length - columns.filter(({ id }) => hidden.includes(id)).length} of ${columns.length})`}
        </Button>
      }
    >
      <div className={styles.chooser}>
        <fieldset>
          <legend>Show</legend>
          {columns.map(({ id, header }) => (
            <CheckboxInput
              key={id}
              label={header}
              checked={!hidden.includes(id)}
              onChange={({ target }) => show(id, target.checked)}
            />
          ))}
        </fieldset>
        <CheckboxInput
          label="Compact rows"
          checked={compact}
          onChange={({ target }) => onChange({ ...shape, compact: target.checked })}
        />
        <Button variant="link" onClick={() => onChange({ hidden: [], compact: false })}>
          Show all columns
        </Button>
      </div>
    </Popover>
  );
});
