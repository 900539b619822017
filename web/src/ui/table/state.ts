import type { ReactNode } from 'react';

/** What one column of a table shows, and how it sorts, filters and exports. */
export interface Column<Row> {
  id: string;
  header: string;
  /** Sorts: numbers by size, text ignoring case, nothing last. Dates are YYYY-MM-DD here. */
  value: (row: Row) => string | number | null | undefined;
  /** What the cell says; filters and exports use it. Without it, the value. */
  text?: (row: Row) => string;
  /** Its numbers name something: exports write them as texts, as nobody adds them up. */
  identifies?: boolean;
  /** What the cell shows, where text is not all. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
  filterable?: boolean;
  /** The texts that its cells can have: the filter is a choice of them. */
  choices?: readonly string[];
  /** Amounts stand at the end of their cell. */
  align?: 'end';
  /** As CSS: keeps a column from getting narrower than its content reads well. */
  minWidth?: string;
  /** Lets the text break into lines; otherwise a cell is one line. */
  wrap?: boolean;
  exported?: boolean;
  /** Heads the card that a row is on a narrow screen; without one the first column does. */
  lead?: boolean;
  /** The last column, of buttons: it stays in sight while the others scroll sideways. */
  pinned?: boolean;
}

/** What a person did to a table. It is plain data: a screen can keep it in the history's state. */
export interface TableState {
  sort: { id: string; desc: boolean } | null;
  filters: Record<string, string>;
  page: number;
  pageSize: number;
}

export const pageSizes = [5, 10, 25, 50, 100, 200] as const;

export const tableState = (state: Partial<TableState> = {}): TableState => ({
  sort: null,
  filters: {},
  page: 0,
  pageSize: 10,
  ...state,
});

export const columnText = <Row>(column: Column<Row>, row: Row) =>
  column.text ? column.text(row) : String(column.value(row) ?? '');
