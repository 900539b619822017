import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getExportCells } from './ExportMenu';
import { formatCsvCell, saveCsv, saveXlsx } from './export';

const saved: { blob: Blob; name: string }[] = [];

beforeEach(() => {
  saved.length = 0;
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return `blob:${blobs.length - 1}`;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.split(':').pop())];
    if (blob) saved.push({ blob, name: this.download });
  });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => vi.useRealTimers());

it.each([
  ['=1+1', "'=1+1"],
  ['＝1+1', "'＝1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\n=1', `"'\n=1"`],
  [' =1', "' =1"],
  ['\u00a0\u200b@SUM(A1)', "'\u00a0\u200b@SUM(A1)"],
  [' a=1', ' a=1'],
  ['a, "b"', '"a, ""b"""'],
  ['plain', 'plain'],
])('writes the text %j as %j', (text, cell) => expect(formatCsvCell(text)).toBe(cell));

it('writes numbers as numbers and empty cells as empty', () => {
  expect(formatCsvCell(-12.5)).toBe('-12.5');
  expect(formatCsvCell(null)).toBe('');
});

it('saves CSV with a UTF-8 byte order mark', async () => {
  saveCsv('Lines', [
    ['Name', 'Amount'],
    ['Zoë', 12.5],
  ]);
  expect(saved[0]?.name).toBe('Lines.csv');
  const bytes = new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? []);
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toBe('Name,Amount\r\nZoë,12.5\r\n');
});

it('saves a workbook with formulas as text', async () => {
  await saveXlsx('Lines', [['Name'], ['=HYPERLINK("x")'], [12.5]], { columnWidths: [20], boldRows: [0] });
  expect(saved[0]?.name).toBe('Lines.xlsx');
  const archive = new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? []);
  const { unzipSync, strFromU8 } = await import('fflate');
  const parts = Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const sheet = parts.find(([name]) => name.endsWith('sheet1.xml'))?.[1] ?? '';
  expect(sheet).not.toContain('<f>');
  expect(sheet).toContain('12.5');
  expect(parts.map(([, xml]) => xml).join('')).toContain('=HYPERLINK(');
});

it('saves days as dates, and skips empty cells', async () => {
  await saveXlsx('Lines', [
    ['Paid on', 'Note'],
    ['03/04/2025', ''],
    ['13/45/2025', ''],
  ]);
  const archive = new Uint8Array((await saved[0]?.blob.arrayBuffer()) ?? []);
  const { unzipSync, strFromU8 } = await import('fflate');
  const parts = Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const sheet = parts.find(([name]) => name.endsWith('sheet1.xml'))?.[1] ?? '';
  // Days since the end of 1899.
  expect(/<c r="A2"[^>]*><v>45720<\/v>/.test(sheet)).toBe(true);
  expect(sheet).not.toContain('r="B2"');
  expect(parts.find(([name]) => name.endsWith('styles.xml'))?.[1]).toContain('mm/dd/yyyy');
  expect(parts.map(([, xml]) => xml).join('')).toContain('13/45/2025');
});

it("exports the cells' texts, amounts as numbers and identifiers as text, without columns that aren't exported", () => {
  const cells = getExportCells(
    [
      {
        id: 'day',
        header: 'Day',
        value: (row: { day: string; amount: number | null }) => row.day,
        text: () => '03/04/2025',
      },
      { id: 'amount', header: 'Amount', value: (row) => row.amount, text: () => '$1.00' },
      { id: 'group', header: 'Group ID', value: () => 1001, identifies: true },
      { id: 'links', header: 'Links', value: () => 'x', exported: false },
    ],
    [{ day: '2025-03-04', amount: 1 }],
  );
  expect(cells).toEqual([
    ['Day', 'Amount', 'Group ID'],
    ['03/04/2025', 1, '1001'],
  ]);
});
