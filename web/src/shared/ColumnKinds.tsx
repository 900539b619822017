import { type Option, SelectInput } from '@/ui/form/inputs';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './ColumnKinds.module.css';
import { columnName, type TableColumn, withKind } from './tableColumns';

interface Props<Column extends TableColumn> {
  label: string;
  columns: readonly Column[];
  /** What a column can be read as. */
  options: readonly Option[];
  /** What a column is called that is not read. */
  none: string;
  /** Values of a column, from the first lines. */
  samplesOf: (column: Column) => readonly (string | undefined)[];
  onChange: (columns: Column[]) => void;
}

/** What each column of a table is read as, which a person can change. */
export function ColumnKinds<Column extends TableColumn>({
  label,
  columns,
  options,
  none,
  samplesOf,
  onChange,
}: Props<Column>) {
  return (
    <div className={styles.columns}>
      <ShortTable
        label={label}
        rows={columns}
        rowId={({ index }) => index}
        columns={[
          { header: 'Your column', cell: (column) => <strong>{columnName(column)}</strong> },
          { header: 'Sample values', cell: (column) => samplesOf(column).filter(Boolean).join(' · ') },
          {
            header: 'Use as',
            cell: (column) => (
              <SelectInput
                label={<span className="visually-hidden">Use {columnName(column)} as</span>}
                placeholder={none}
                options={options}
                value={column.kind}
                onChange={({ target }) => onChange(withKind(columns, column.index, target.value))}
              />
            ),
          },
        ]}
      />
    </div>
  );
}
