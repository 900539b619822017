import { describe, expect, test } from 'vitest';
import { detectSeparator, parseRows, type Separator, toCsv } from './paste';

describe('splits pasted text', () => {
  test.each<[string, string, Separator, string[][]]>([
    ['one column', '7001\n7002\n', 'none', [['7001'], ['7002']]],
    ['a column of names', 'Brook, Ada\nReed, Tom', 'none', [['Brook, Ada'], ['Reed, Tom']]],
    ['a column of names in quotation marks', '"Brook" Ada', 'none', [['"Brook" Ada']]],
    [
      'a table of Excel',
      'Acct\tDOS\r\nA1\t06/03/2026\r\n',
      'tab',
      [
        ['Acct', 'DOS'],
        ['A1', '06/03/2026'],
      ],
    ],
    ['commas in a table of Excel', 'Brook, Ada\tA1', 'tab', [['Brook, Ada', 'A1']]],
    [
      'commas',
      'A1,06/03/2026\nA2,06/04/2026',
      'comma',
      [
        ['A1', '06/03/2026'],
        ['A2', '06/04/2026'],
      ],
    ],
    ['the ends of lines of old programs', 'A1\rA2', 'none', [['A1'], ['A2']]],
    ['the mark of a file', '\uFEFFA1\nA2', 'none', [['A1'], ['A2']]],
    ['empty lines', '\n\nA1\n \t \n\nA2\n', 'tab', [['A1'], ['A2']]],
    [
      'columns that are empty at the end',
      'A1\tx\t\t\nA2\t\t \t',
      'tab',
      [
        ['A1', 'x'],
        ['A2', ''],
      ],
    ],
    [
      'lines of different lengths',
      'A1\nA2\tx',
      'tab',
      [
        ['A1', ''],
        ['A2', 'x'],
      ],
    ],
    ['columns that are empty in between', 'A1\t\tx', 'tab', [['A1', '', 'x']]],
    ['separators in quotation marks', '"Brook, Ada",A1', 'comma', [['Brook, Ada', 'A1']]],
    ['quotation marks in quotation marks', '"5"" pad",A1', 'comma', [['5" pad', 'A1']]],
    ['a line that ends within a cell', '"A1\nB1"\tx', 'tab', [['A1\nB1', 'x']]],
    [
      'a quotation mark that never ends',
      '"A1\tx\nA2\ty',
      'tab',
      [
        ['"A1', 'x'],
        ['A2', 'y'],
      ],
    ],
    [
      'a quotation mark within a cell',
      'pad 5"\tx\nA2\ty"',
      'tab',
      [
        ['pad 5"', 'x'],
        ['A2', 'y"'],
      ],
    ],
    ['text after quotation marks', '"A"1\tx', 'tab', [['A1', 'x']]],
    ['spaces around', ' A1 \t\u00a0x ', 'tab', [['A1', 'x']]],
    ['nothing', ' \n\t', 'tab', []],
  ])('%s', (_, text, separator, rows) => {
    expect(detectSeparator(text)).toBe(separator);
    expect(parseRows(text, separator)).toEqual(rows);
  });
});

test('the guessed separator can be changed', () => {
  expect(detectSeparator('A1, 06/03/2026')).toBe('none');
  expect(parseRows('A1, 06/03/2026', 'comma')).toEqual([['A1', '06/03/2026']]);
});

test('splits ten thousand lines quickly', () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `A${n}\t06/03/2026\t"x"\r\n`).join('');
  expect(parseRows(text, detectSeparator(text))).toHaveLength(10_000);
});

test('a file has unchanged cells', () => {
  const rows = [
    ['=1+1', 'Brook, Ada', '5" pad'],
    ['007', '', 'two\nlines'],
  ];
  const file = toCsv(rows);
  expect(file).toBe('"=1+1","Brook, Ada","5"" pad"\r\n"007","","two\nlines"\r\n');
  expect(parseRows(file, 'comma')).toEqual(rows);
});
