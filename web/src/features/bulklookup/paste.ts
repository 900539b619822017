/** The column separator of pasted text: tabs as from Excel, commas, or none for a single column. */
export type Separator = 'tab' | 'comma' | 'none';

const characters: Record<Separator, string> = { tab: '\t', comma: ',', none: '' };

/**
 * Splits text into lines of cells with equal lengths. Drops empty lines, and empty columns at
 * the end.
 */
export function parseRows(text: string, separator: Separator): string[][] {
  const rows = split(text, characters[separator])
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells) => cells.some(Boolean));
  const width = rows.reduce((most, cells) => Math.max(most, cells.findLastIndex(Boolean) + 1), 0);
  return rows.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? ''));
}

/**
 * Detects tabs first. Detects commas if one in the first line isn't followed by a space: "Brook,
 * Ada" is one name. Users can change the guess.
 */
export function detectSeparator(text: string): Separator {
  if (text.includes('\t')) return 'tab';
  const first = split(text, '')
    .map(([line = '']) => line.trim())
    .find(Boolean);
  return first && /,\S|"\s*,|,$/.test(first) ? 'comma' : 'none';
}

/** Formats lines as CSV, with unchanged cells. */
export const toCsv = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');

/**
 * A cell that starts with a quotation mark ends at the next single one, across separators and
 * line ends. If one never ends, all quotation marks are plain text.
 */
function split(text: string, separator: string, quoting = separator !== ''): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (character === '"' && quoting && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (character === '\n' || character === '\r') {
      rows.push([...cells, cell]);
      cells = [];
      cell = '';
    } else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return quoted ? split(text, separator, false) : [...rows, [...cells, cell]];
}
