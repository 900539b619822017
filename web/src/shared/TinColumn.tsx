import { useMemo } from 'react';
import { formatTin } from '@/ui/format';
import type { Column } from '@/ui/table/state';
import styles from './TinColumn.module.css';
import { useTinOptions } from './tins';

/** The column of one's own Tax IDs, each with the name of its office: who has many knows few by number. */
export function useTinColumn<Row extends { ftin: string }>(
  id: string,
  header: string,
  rows: readonly Row[],
): Column<Row> {
  const options = useTinOptions(useMemo(() => rows.map(({ ftin }) => ftin), [rows]));
  return useMemo(() => {
    const names = new Map(options.map(({ value, note }) => [value, note]));
    return {
      id,
      header,
      value: ({ ftin }) => ftin,
      text: ({ ftin }) => [formatTin(ftin), names.get(ftin)].filter(Boolean).join(' '),
      cell: ({ ftin }) => {
        const name = names.get(ftin);
        return (
          <>
            {formatTin(ftin)}
            {name && <span className={styles.office}> {name}</span>}
          </>
        );
      },
      wrap: true,
    };
  }, [id, header, options]);
}
