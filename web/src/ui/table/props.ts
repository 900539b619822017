import type { ReactNode } from 'react';
import type { Action, ActionMenu } from '../ActionMenu';
import type { ColumnChooser } from './ColumnChooser';
import type { TableShape } from './shape';
import type { Column, TableState } from './state';

/** The table's input for rows that the server pages, sorts, filters and counts. */
export interface ServerSide<Row> {
  /** The number of matching rows on all pages. */
  count: number;
  /** The count isn't loaded yet, so it isn't shown. */
  counting?: boolean;
  /** All matching rows in batches, in the table's order. */
  exportRows?: () => AsyncIterable<readonly Row[]>;
}

export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names the row in its checkbox label, such as a TIN. */
  label: (row: Row) => string;
  /** True for all rows, or per row. */
  disabled?: boolean | ((row: Row) => boolean);
  /** A label next to the header checkbox, where selecting has a single purpose. */
  header?: string;
  /** Adds a button next to the title that selects all filtered rows, like the header checkbox. */
  allLabel?: string;
}

export interface Layout {
  /** The visible columns and the row height. Hidden columns aren't exported either. */
  shape: TableShape;
  onChange: (shape: TableShape) => void;
  /**
   * The component that changes the shape. It's passed in, so that tables without it don't load
   * it.
   */
  chooser: typeof ColumnChooser;
}

/** A row's menu. It brings its component, so that tables without menus don't load it. */
export interface RowMenu<Row> {
  menu: typeof ActionMenu;
  /** A row without actions has no menu. Without this function there is no menu column. */
  actions?: (row: Row) => readonly Action[];
  /** Names the row in its menu's label. */
  label?: (row: Row) => string;
  /** The column's header. Defaults to "Actions". */
  header?: string;
}

/**
 * Offers the filtered and sorted rows as XLSX and CSV. Server-side rows need `exportRows`. It
 * brings the menu's component, as RowMenu does.
 */
export interface ExportOptions {
  menu: typeof ActionMenu;
  fileName: string;
}

export interface Pages {
  /** The offered page sizes. */
  sizes?: readonly number[];
  /** Where the pager is. Without one, all rows are on one page. Defaults to the bottom. */
  position?: 'bottom' | 'both' | 'none';
}

export interface DataTableProps<Row> {
  /** The heading above the table and its accessible name. */
  title: string;
  headingLevel?: 2 | 3 | 4;
  /** The noun for the row count, where "found" would be wrong, such as lines of a bulk lookup. */
  counted?: string;
  /** Hides the title visually where the page already shows it. */
  titleHidden?: boolean;
  /** Define it at module scope or memoize it. A new array makes a new table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /**
   * The rows are one page of the server's results. The owner has the state and requests pages by
   * it.
   */
  server?: ServerSide<Row>;
  rowId: (row: Row) => string;
  status?: 'ready' | 'loading' | 'failed' | 'stale';
  /** Shown while loading, when there are no rows, and when loading failed. */
  loadingText?: string;
  empty?: ReactNode;
  /** Shown when the filters match no row. */
  noMatch?: ReactNode;
  failure?: ReactNode;
  onRetry?: () => void;
  /** The initial state, where the table has the state itself. */
  initial?: Partial<TableState>;
  /** The state, where the owner has it, as with rows from the server. */
  controlled?: { state: TableState; onChange: (state: TableState) => void };
  layout?: Layout;
  pages?: Pages;
  selection?: Selection<Row>;
  rowMenu?: RowMenu<Row>;
  exportMenu?: ExportOptions;
  /**
   * Content below the row, as wide as the table. Rows without any have nothing below. Must be
   * stable: unchanged rows don't rerender.
   */
  detail?: (row: Row) => ReactNode;
  /**
   * Buttons next to the title. A function gets the filtered and sorted rows, or the server's
   * page.
   */
  toolbar?: ReactNode | ((rows: readonly Row[]) => ReactNode);
  /** The filters of rows from the server, next to the title. */
  filterBar?: ReactNode;
  /** A notice between the title and the table. */
  notice?: ReactNode;
}
