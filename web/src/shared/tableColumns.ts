/** A column of an uploaded table, and its type. */
export interface TableColumn {
  /** From 0. */
  index: number;
  /** The heading. */
  name?: string;
  /** Empty if the column is ignored. */
  kind: string;
}

export const getColumnName = ({ name, index }: Pick<TableColumn, 'name' | 'index'>) =>
  name || `Column ${index + 1}`;

/** Sets a column's type. Only one column can have a type. */
export const setColumnKind = <Column extends TableColumn>(
  columns: readonly Column[],
  index: number,
  kind: Column['kind'],
): Column[] =>
  columns.map((column) => {
    if (column.index === index) return { ...column, kind };
    return column.kind === kind ? { ...column, kind: '' } : column;
  });
