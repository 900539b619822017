import { crc32 } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { accounts, openAs } from './portal';

/** An NPI with a valid check digit. */
export function npi(n: number): string {
  const digits = `2${String(n).padStart(8, '0')}`;
  // The ISO 7812 prefix 80840 contributes 24. Every other digit counts twice, with its own
  // digits added up.
  const sum = [...digits].reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 24);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export const columns =
  'Action,NPI,TIN,Last Name,First Name,Address,City,State,ZIP,Phone,Effective Date,Term Date'.split(',');

export type Row = Record<string, string>;

/** Valid rows of n providers, starting with the first. */
export const makeRows = (n: number, first = 1, change: Row = {}): Row[] =>
  Array.from({ length: n }, (_, i) => ({
    NPI: npi(first + i),
    TIN: '965012345',
    'Last Name': 'Hand',
    'First Name': 'Lee',
    Address: `${first + i} Shore Rd`,
    City: 'Erie',
    State: 'PA',
    ZIP: '16501',
    Phone: '814-555-0100',
    'Effective Date': '01/05/2026',
    ...change,
  }));

export const csv = (name: string, rows: Row[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([columns, ...table(rows)].map((cells) => `${cells.join(',')}\n`).join('')),
});

const table = (rows: Row[]) => rows.map((row) => columns.map((column) => row[column] ?? ''));

/** A spreadsheet with one sheet of text cells. */
export function xlsx(name: string, rows: Row[]) {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const lines = [columns, ...table(rows)].map((cells) => `<row>${cells.map(cell).join('')}</row>`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const of = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return {
    name,
    mimeType: `${kind}.sheet`,
    buffer: zip({
      '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/></Types>`,
      '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${of}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${of}"><sheets><sheet name="Roster" sheetId="1" r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${of}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
    }),
  };
}

/** An uncompressed archive of these texts. */
function zip(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const index: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), content);
    index.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, Buffer.from(name));
    at += 4 + common.length + name.length + content.length;
  }
  const all = Buffer.concat(index);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, all, end]);
}

/** Opens Manage Rosters, then Upload Roster. */
export async function openUpload(page: Page, userName = accounts.ROAD) {
  await openAs(page, userName, '/wcpp/ManageRosters');
  await page.getByRole('button', { name: 'UPLOAD...' }).click();
  await expect(page.getByRole('heading', { name: 'Upload Roster' })).toBeFocused();
}

export const chooseFiles = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').setInputFiles(files);

export const selectGroup = (page: Page, label: string) =>
  page.getByLabel('Provider Group').selectOption(label);

export const submitRoster = (page: Page) => page.getByRole('button', { name: 'SUBMIT' }).click();
