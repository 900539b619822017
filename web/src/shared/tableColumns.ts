/** A column of a table that a person sent, and what it is read as. */
export interface TableColumn {
  /** From 0. */
  index: number;
  /** Of its heading. */
  name?: string;
  /** Empty: it is not read. */
  kind: string;
}

export const columnName = ({ name, index }: Pick<TableColumn, 'name' | 'index'>) =>
  name || `Column ${index + 1}`;

/** The columns with one of them read as something else; a kind is one column's alone. */
export const withKind = <Column extends TableColumn>(
  columns: readonly Column[],
  index: number,
  kind: Column['kind'],
): Column[] =>
  columns.map((column) => {
    if (column.index === index) return { ...column, kind };
    return column.kind === kind ? { ...column, kind: '' } : column;
  });
