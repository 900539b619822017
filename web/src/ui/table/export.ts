import { download } from '../window';

export type SheetCell = string | number | null;

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Saves rows as a workbook with one sheet. Text stays text, so that no cell runs as a formula;
 * dates become dates. The first export loads the writer.
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
      const day = parseDay(value);
      return day
        ? { value: day, type: Date, format: 'mm/dd/yyyy', ...look }
        : { value, type: String, ...look };
    }),
  );
  const columns = options.columnWidths?.map((width) => ({ width }));
  const workbook = await write(sheet, { columns }).toBlob();
  download(new Blob([workbook], { type: sheetType }), addExtension(fileName, '.xlsx'));
}

/** Parses a date as the portal formats it, so that a spreadsheet can sort it. */
function parseDay(text: string): Date | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Saves rows as CSV, in UTF-8 with a byte order mark for spreadsheets. */
export function saveCsv(fileName: string, rows: readonly (readonly SheetCell[])[]) {
  const lines = rows.map((row) => row.map(formatCsvCell).join(','));
  download(
    new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' }),
    addExtension(fileName, '.csv'),
  );
}

// Some programs skip spaces and invisible characters before a sign.
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * Prefixes an apostrophe to text that a spreadsheet would run as a formula. A library, which
 * would also parse CSV, wouldn't make this code shorter.
 */
export function formatCsvCell(value: SheetCell): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value ?? '') ? `'${value}` : (value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const addExtension = (name: string, ending: string) => (name.endsWith(ending) ? name : name + ending);
