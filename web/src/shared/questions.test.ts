import { expect, test } from 'vitest';
import { hasQuestionPrefix, parseQuestionNumber } from './questions';

test.each([
  ['C-D9Z5-BSQ7', 'C-D9Z5-BSQ7'],
  [' c d9z5 bsq7 ', 'C-D9Z5-BSQ7'],
  ['d9z5bsq7', 'C-D9Z5-BSQ7'],
  ['C-D9Z5-BSQ8', undefined], // wrong check character
  ['C-9DZ5-BSQ7', undefined], // swapped neighbors
  ['C-D9Z5', undefined],
  ['7000014562', undefined],
  ['', undefined],
])('reads %j as the number of a question: %s', (typed, number) => {
  expect(parseQuestionNumber(typed)).toBe(number);
});

test.each([
  ['C-D9Z5-BSQ7', true],
  [' c d9z5 bsq7 ', true],
  ['d9z5bsq7', false],
  ['C9Z5BSQ7', false], // a number's own C
])('%j has the prefix: %s', (typed, has) => {
  expect(hasQuestionPrefix(typed)).toBe(has);
});
