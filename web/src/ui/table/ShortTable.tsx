import type { ReactNode } from 'react';
import { cx } from '../cx';
import styles from './ShortTable.module.css';
import { fitting } from './useNarrow';

export interface ShortColumn<Row> {
  header: string;
  align?: 'end';
  cell: (row: Row) => ReactNode;
  /** In the row of sums, whose first one names it. */
  sum?: ReactNode;
}

interface Props<Row> {
  /** Names the table for who does not see its heading. */
  label: string;
  columns: readonly ShortColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string | number;
  /** Of rows that do not count. */
  muted?: (row: Row) => boolean;
}

/** A table that is read whole: a few rows, nothing to sort, filter or turn; cards where it is narrow, all of it in print. */
export function ShortTable<Row>({ label, columns, rows, rowId, muted }: Props<Row>) {
  const wide = columns.length > fitting;
  const sums = columns.some(({ sum }) => sum !== undefined);
  // The roles stay where styles make cards of rows.
  return (
    <div className={cx(styles.scroller, wide && styles.wide)}>
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

// One element, however many parts a value has: beside its name on a card they stay together.
const Cell = ({ header, align, children }: { header?: string; align?: 'end'; children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see ShortTable
  <td role="cell" data-label={header} className={cx(align && styles.end, isEmpty(children) && styles.empty)}>
    <div>{children}</div>
  </td>
);
