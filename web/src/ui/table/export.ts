import { download } from '../window';

export type SheetCell = string | number | null;

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Saves rows as a workbook of one sheet. Text is written as text, so that nothing a cell holds runs as a formula, and
 * a day as a date.
 * The writer is loaded by the first export.
 */
export async function saveXlsx(
  fileName: string,
  rows: readonly (readonly SheetCell[])[],
  options: { columnWidths?: readonly number[]; boldRows?: readonly number[] } = {},
) {
  const { default: write } = await import('write-excel-file/universal');
  const sheet = rows.map((row, index) =>
    row.map((value) => {
      const look = options.boldRows?.includes(index) ? { fontWeight: 'bold' as const } : {};
      if (value === null || value === '') return null;
      if (typeof value === 'number') return { value, type: Number, ...look };
      const day = dayOf(value);
      return day
        ? { value: day, type: Date, format: 'mm/dd/yyyy', ...look }
        : { value, type: String, ...look };
    }),
  );
  const columns = options.columnWidths?.map((width) => ({ width }));
  const workbook = await write(sheet, { columns }).toBlob();
  download(new Blob([workbook], { type: sheetType }), withEnding(fileName, '.xlsx'));
}

/** A text that is a day as the portal writes it, so that a spreadsheet can put it in order. */
function dayOf(text: string): Date | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Saves rows as comma-separated values, in UTF-8 with the mark by which spreadsheets know it. */
export function saveCsv(fileName: string, rows: readonly (readonly SheetCell[])[]) {
  const lines = rows.map((row) => row.map(csvCell).join(','));
  download(
    new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' }),
    withEnding(fileName, '.csv'),
  );
}

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe in front and stays text. With a library, which
 * reads CSV too, the code here would be no shorter.
 */
export function csvCell(value: SheetCell): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const withEnding = (name: string, ending: string) => (name.endsWith(ending) ? name : name + ending);
