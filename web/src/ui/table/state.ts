import type { ReactNode } from 'react';

/** How a column displays, sorts, filters and exports. */
export interface Column<Row> {
  id: string;
  header: string;
  /** The sort value: numbers by size, text ignoring case, empty last. Dates are YYYY-MM-DD here. */
  value: (row: Row) => string | number | null | undefined;
  /** The cell's text, for filters and exports. Defaults to the value. */
  text?: (row: Row) => string;
  /** Identifying numbers: exports write them as text, not as amounts. */
  identifies?: boolean;
  /** The cell's content, where text isn't enough. */
  cell?: (row: Row) => ReactNode;
  sortable?: boolean;
  filterable?: boolean;
  /** The possible texts. The filter becomes a select. */
  choices?: readonly string[];
  /** Aligns amounts to the end. */
  align?: 'end';
  /** A CSS width. Keeps the column readable. */
  minWidth?: string;
  /** Wraps the text. Otherwise a cell is one line. */
  wrap?: boolean;
  exported?: boolean;
  /** The heading of a row's card on narrow screens. Defaults to the first column. */
  lead?: boolean;
  /**
   * Its place in a row of two lines on narrow screens, next to the lead or below it, with or without its
   * header. Columns without a place are left out.
   */
  brief?: 'end' | 'below' | 'labeled end' | 'labeled below';
  /** The last column, with buttons. It stays visible while the others scroll sideways. */
  pinned?: boolean;
}

/** The user's changes to a table, as plain data that fits into the history state. */
export interface TableState {
  sort: { id: string; desc: boolean } | null;
  filters: Record<string, string>;
  page: number;
  pageSize: number;
}

export const pageSizes = [5, 10, 25, 50, 100, 200] as const;

export const createTableState = (state: Partial<TableState> = {}): TableState => ({
  sort: null,
  filters: {},
  page: 0,
  pageSize: 10,
  ...state,
});

export const getColumnText = <Row>(column: Column<Row>, row: Row) =>
  column.text ? column.text(row) : String(column.value(row) ?? '');
