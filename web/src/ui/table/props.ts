import type { ReactNode } from 'react';
import type { Action, ActionMenu } from '../ActionMenu';
import type { ColumnChooser } from './ColumnChooser';
import type { TableShape } from './shape';
import type { Column, TableState } from './state';

/** What a table needs to know of rows that the server pages, sorts, filters and counts. */
export interface ServerSide<Row> {
  /** How many rows match, on all pages. */
  count: number;
  /** That is not known yet of these rows, and not told. */
  counting?: boolean;
  /** Everyone who matches, part after part, in the order of the table. */
  exportRows?: () => AsyncIterable<readonly Row[]>;
}

export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
  /** Names the row in its checkbox's label, such as a TIN. */
  label: (row: Row) => string;
  /** True for all rows, or row by row. */
  disabled?: boolean | ((row: Row) => boolean);
  /** Stands beside the head's checkbox, where choosing a row is for one thing only. */
  header?: string;
  /** With it a button beside the title selects all rows that the filters leave, as the head's checkbox does. */
  allLabel?: string;
}

interface TableProps<Row> {
  /** Stands above the table and names it. */
  title: string;
  headingLevel?: 2 | 3 | 4;
  /** What the rows are, where "found" would say more than is true: lines that are looked up. */
  counted?: string;
  /** Keeps the title for screen readers where the page shows it already. */
  titleHidden?: boolean;
  /** Cancel at module scope or memoised: each new array is a new table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** With it the rows are one page of what the server finds. Its owner keeps the state and asks by it. */
  server?: ServerSide<Row>;
  rowId: (row: Row) => string;
  status?: 'ready' | 'loading' | 'failed' | 'stale';
  /** Said while loading, when there is nothing to show, and when loading failed. */
  loadingText?: string;
  empty?: ReactNode;
  /** Said when the filters leave no row. */
  noMatch?: ReactNode;
  failure?: ReactNode;
  onRetry?: () => void;
  /** How the table starts; with `state` and `onStateChange` its owner keeps what is done to it. */
  initial?: Partial<TableState>;
  state?: TableState;
  onStateChange?: (state: TableState) => void;
  /** Which columns are shown and how high rows are; what is hidden is not exported either. */
  shape?: TableShape;
  onShapeChange?: (shape: TableShape) => void;
  /** What chooses the shape: given with it, so that tables without do not load it. */
  chooser?: typeof ColumnChooser;
  pageSizeOptions?: readonly number[];
  paging?: 'bottom' | 'both' | 'none';
  selection?: Selection<Row>;
  /** Heads the column of the menus. */
  actionsHeader?: string;
  /** Names the row in the label of its menu. */
  rowLabel?: (row: Row) => string;
  /**
   * Stands below the row, as wide as the table; a row without any has nothing below. At module scope or stable: rows
   * that did not change are not drawn again.
   */
  detail?: (row: Row) => ReactNode;
  /** Buttons beside the title; given the rows, those that the filters leave, sorted: of a server's its page. */
  toolbar?: ReactNode | ((rows: readonly Row[]) => ReactNode);
  /** A notice between the title and the table. */
  notice?: ReactNode;
}

/** What needs menus is given with what draws them, so that tables without do not load it. */
type Menus<Row> =
  | {
      menu: typeof ActionMenu;
      /** The actions of a row's menu; a row without any has no menu. */
      rowActions?: (row: Row) => readonly Action[];
      /**
       * Offers what the filters leave, sorted, as XLSX and CSV under this file name; of a server's rows only with its
       * `exportRows`.
       */
      exportAs?: string;
    }
  | { menu?: undefined; rowActions?: undefined; exportAs?: undefined };

export type DataTableProps<Row> = TableProps<Row> & Menus<Row>;
