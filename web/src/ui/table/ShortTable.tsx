import type { ReactNode } from 'react';
import { cx } from '../cx';
import styles from './ShortTable.module.css';
import { maxTabletColumns } from './useNarrow';

export interface ShortColumn<Row> {
  header: string;
  align?: 'end';
  cell: (row: Row) => ReactNode;
  /** The cell in the row of totals. The first one labels the row. */
  sum?: ReactNode;
}

interface Props<Row> {
  /** The table's accessible name. */
  label: string;
  columns: readonly ShortColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string | number;
  /** Rows that don't count. */
  muted?: (row: Row) => boolean;
  /** Its few short columns fit on a phone, so it stays a table there. */
  slim?: boolean;
}

/**
 * A table of a few rows without sorting, filters or pages. Narrow screens show cards, and print
 * shows all of it.
 */
export function ShortTable<Row>({ label, columns, rows, rowId, muted, slim }: Props<Row>) {
  const wide = columns.length > maxTabletColumns;
  const sums = columns.some(({ sum }) => sum !== undefined);
  // Explicit roles remain where CSS turns rows into cards.
  return (
    <div className={cx(styles.scroller, wide && styles.wide, slim && styles.slim)}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table role="table" className={styles.table} aria-label={label}>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tr role="row">
            {columns.map(({ header, align }) => (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <th key={header} role="columnheader" scope="col" className={cx(align && styles.end)}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tbody role="rowgroup">
          {rows.map((row) => (
            // biome-ignore lint/a11y/noRedundantRoles: see above
            <tr key={rowId(row)} role="row" className={cx(muted?.(row) && styles.muted)}>
              {columns.map(({ header, align, cell }) => (
                <Cell key={header} header={header} align={align}>
                  {cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
        {sums && (
          // biome-ignore lint/a11y/noRedundantRoles: see above
          <tfoot role="rowgroup" className={styles.sums}>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <tr role="row">
              {columns.map(({ header, align, sum }, index) => (
                <Cell key={header} header={index > 0 ? header : undefined} align={align}>
                  {sum}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

const isEmpty = (content: ReactNode) => content === undefined || content === null || content === '';

// One element for all parts of a value, so that they stay together next to the name on a card.
const Cell = ({ header, align, children }: { header?: string; align?: 'end'; children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see ShortTable
  <td role="cell" data-label={header} className={cx(align && styles.end, isEmpty(children) && styles.empty)}>
    <div>{children}</div>
  </td>
);
