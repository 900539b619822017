import { type Option, SelectInput } from '@/ui/form/inputs';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './ColumnKinds.module.css';
import { getColumnName, setColumnKind, type TableColumn } from './tableColumns';

interface Props<Column extends TableColumn> {
  label: string;
  columns: readonly Column[];
  /** The possible column types. */
  options: readonly Option[];
  /** The label of an ignored column. */
  none: string;
  /** A column's values in the first lines. */
  getSamples: (column: Column) => readonly (string | undefined)[];
  onChange: (columns: Column[]) => void;
}

/** The type of each column, which users can change. */
export function ColumnKinds<Column extends TableColumn>({
  label,
  columns,
  options,
  none,
  getSamples,
  onChange,
}: Props<Column>) {
  return (
    <div className={styles.columns}>
      <ShortTable
        label={label}
        rows={columns}
        rowId={({ index }) => index}
        columns={[
          { header: 'Your column', cell: (column) => <strong>{getColumnName(column)}</strong> },
          { header: 'Sample values', cell: (column) => getSamples(column).filter(Boolean).join(' · ') },
          {
            header: 'Use as',
            cell: (column) => (
              <SelectInput
                label={<span className="visually-hidden">Use {getColumnName(column)} as</span>}
                placeholder={none}
                options={options}
                value={column.kind}
                onChange={({ target }) => onChange(setColumnKind(columns, column.index, target.value))}
              />
            ),
          },
        ]}
      />
    </div>
  );
}
