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

/** The columns with the names from these heading lines. */
export const addHeadings = <Column extends TableColumn>(
  columns: readonly Column[],
  lines: readonly (readonly string[])[],
  headerRows: number,
): Column[] =>
  columns.map((column) => ({
    ...column,
    name: lines
      .slice(0, headerRows)
      .map((cells) => cells[column.index])
      .filter(Boolean)
      .join(' '),
  }));

/** How many lines at the start are headings. */
export const headingOptions = [
  { value: '0', label: 'None' },
  { value: '1', label: 'First line' },
  { value: '2', label: 'First 2 lines' },
];
