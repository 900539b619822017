import type { ComponentType } from 'react';
import { lazyPart } from '../lazyPart';
import { Empty, Loading } from '../PageState';
import type { DataTable } from './DataTable';
import styles from './DataTable.module.css';
import type { DataTableProps } from './props';

const [LazyDataTable, usePreload] = lazyPart(
  async () => (await import('./DataTable')).DataTable as ComponentType<DataTableProps<object>>,
);

/** The table of a screen that starts with a form. Answer provides its Suspense. */
export const LazyTable = LazyDataTable as typeof DataTable;

export const usePreloadTable = usePreload;

/** Placeholder for the table, with its height and title. */
export const TablePlaceholder = ({ title, empty }: { title: string; empty?: string }) => (
  <section className={styles.table}>
    <div className={styles.bar}>
      <div className={styles.heading}>
        <h2>{title}</h2>
      </div>
    </div>
    {empty ? <Empty>{empty}</Empty> : <Loading />}
  </section>
);
