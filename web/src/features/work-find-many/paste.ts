/** What stands between the columns of a pasted text: tabs as from Excel, commas, or nothing where it is one column. */
export type Separator = 'tab' | 'comma' | 'none';

const characters: Record<Separator, string> = { tab: '\t', comma: ',', none: '' };

/** Lines of cells, each line as long as the longest; without empty lines, and without columns at the end that are empty. */
export function rowsOf(text: string, separator: Separator): string[][] {
  const rows = split(text, characters[separator])
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells) => cells.some(Boolean));
  const width = rows.reduce((most, cells) => Math.max(most, cells.findLastIndex(Boolean) + 1), 0);
  return rows.map((cells) => Array.from({ length: width }, (_, index) => cells[index] ?? ''));
}

/**
 * Tabs where there are any. Commas where one of the first line is not followed by a space: "Brook, Ada" is one name.
 * What was guessed can be changed.
 */
export function separatorOf(text: string): Separator {
  if (text.includes('\t')) return 'tab';
  const first = split(text, '')
    .map(([line = '']) => line.trim())
    .find(Boolean);
  return first && /,\S|"\s*,|,$/.test(first) ? 'comma' : 'none';
}

/** The lines as a file of comma-separated values, each cell as it is. */
export const csvOf = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('');

/**
 * A cell that begins with a quotation mark goes to the next single one, over separators and ends of lines. One that
 * never ends was no mark but text: then all of them are text.
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
