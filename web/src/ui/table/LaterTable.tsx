import type { ComponentType } from 'react';
import { later } from '../later';
import { Empty, Loading } from '../PageState';
import type { DataTable } from './DataTable';
import styles from './DataTable.module.css';
import type { DataTableProps } from './props';

const [Later, useBeforehand] = later(
  async () => (await import('./DataTable')).DataTable as ComponentType<DataTableProps<object>>,
);

/** The table of a screen that begins with a form. An Answer is the Suspense that it needs. */
export const LaterTable = Later as typeof DataTable;

export const useTableBeforehand = useBeforehand;

/** Stands where the table will, as high and under the same title. */
export const TableToCome = ({ title, empty }: { title: string; empty?: string }) => (
  <section className={styles.table}>
    <div className={styles.bar}>
      <div className={styles.heading}>
        <h2>{title}</h2>
      </div>
    </div>
    {empty ? <Empty>{empty}</Empty> : <Loading />}
  </section>
);
