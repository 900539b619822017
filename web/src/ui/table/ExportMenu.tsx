import { useState } from 'react';
import type { ActionMenu } from '../ActionMenu';
import { Button } from '../Button';
import { formatCount } from '../format';
import { DownloadIcon } from '../icons';
import { toast } from '../Toasts';
import { type SheetCell, saveCsv, saveXlsx } from './export';
import { type Column, getColumnText } from './state';

// The browser builds a workbook in memory. Beyond this many rows only CSV is offered.
const maxInWorkbook = 50_000;

// The button ignores a second click for this many milliseconds, however fast the export was.
const clickPause = 500;

interface Props<Row> {
  Menu: typeof ActionMenu;
  fileName: string;
  columns: readonly Column<Row>[];
  /** The exported rows, in batches. */
  rows: () => Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;
  /** The number of those rows. */
  count: number;
  disabled: boolean;
}

export function ExportMenu<Row>({ Menu, fileName, columns, rows, count, disabled }: Props<Row>) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fetched, setFetched] = useState(0);
  const save = async (write: (cells: SheetCell[][]) => void | Promise<void>) => {
    setBusy(true);
    try {
      const rested = new Promise((resolve) => setTimeout(resolve, clickPause));
      const cells = getExportCells(columns, []);
      for await (const part of rows()) {
        for (const row of getExportCells(columns, part).slice(1)) cells.push(row);
        setFetched(cells.length - 1);
      }
      await write(cells);
      await rested;
    } catch {
      toast.error("Couldn't export the table. Try again.");
    } finally {
      setBusy(false);
      setFetched(0);
    }
  };
  return (
    <Menu
      open={open}
      onOpenChange={setOpen}
      actions={[
        ...(count > maxInWorkbook
          ? []
          : [
              {
                label: 'Excel workbook (XLSX)',
                onSelect: () => void save((cells) => saveXlsx(fileName, cells, { boldRows: [0] })),
              },
            ]),
        { label: 'Comma-separated (CSV)', onSelect: () => void save((cells) => saveCsv(fileName, cells)) },
      ]}
    >
      <Button size="small" busy={busy} disabled={disabled}>
        <DownloadIcon width="1rem" height="1rem" />
        {busy && fetched > 0 && fetched < count
          ? `${formatCount(fetched)} of ${formatCount(count)}`
          : 'Export'}
      </Button>
    </Menu>
  );
}

/**
 * The headers and the rows as shown: amounts and counts as numbers, everything else as the
 * cell's text.
 */
export function getExportCells<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): SheetCell[][] {
  const exported = columns.filter((column) => column.exported !== false);
  const cell = (column: Column<Row>, row: Row): SheetCell => {
    const value = column.value(row);
    return typeof value === 'number' && !column.identifies ? value : getColumnText(column, row);
  };
  return [
    exported.map(({ header }) => header),
    ...rows.map((row) => exported.map((column) => cell(column, row))),
  ];
}
