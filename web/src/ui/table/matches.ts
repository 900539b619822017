import { isNumber, stripSeparators, toLetters } from '../text';

const commas = /(\d),(?=\d)/g;
const monthAndDay = /^(\d{1,2})\/(\d{1,2})((?:\/\d{0,4})?)$/;

/**
 * Reports whether a cell's text matches its filter, both in lowercase: an amount also without
 * commas, a date also without leading zeros, a number also with other hyphens, spaces and
 * leading zeros, a name by its letters.
 */
export function matchesFilter(text: string, typed: string): boolean {
  if (text.includes(typed)) return true;
  if (!/\d/.test(typed)) return !text.includes('@') && compareLetters(text).includes(compareLetters(typed));
  if (isNumber(typed)) {
    const [number, part] = [stripSeparators(text), stripSeparators(typed)];
    if (number.includes(part)) return true;
    if (isNumber(text) && removeLeadingZeros(number).startsWith(removeLeadingZeros(part))) return true;
  }
  const [, month, day, year] = monthAndDay.exec(typed) ?? [];
  if (month && day) return text.includes(`${month.padStart(2, '0')}/${day.padStart(2, '0')}${year}`);
  return text.includes(',') && text.replace(commas, '$1').includes(typed.replace(commas, '$1'));
}

const removeLeadingZeros = (number: string) => number.replace(/^0+(?=.)/, '');
const compareLetters = (text: string) => text.split(',').map(toLetters).join();
