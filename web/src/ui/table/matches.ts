const commas = /(\d),(?=\d)/g;
const monthAndDay = /^(\d{1,2})\/(\d{1,2})((?:\/\d{0,4})?)$/;

/**
 * Tells whether a cell's text has what was typed into its filter, both in small letters: an amount also without its
 * commas, a date also without leading zeros.
 */
export function matches(text: string, typed: string): boolean {
  if (text.includes(typed)) return true;
  if (!/\d/.test(typed)) return false;
  const [, month, day, year] = monthAndDay.exec(typed) ?? [];
  if (month && day) return text.includes(`${month.padStart(2, '0')}/${day.padStart(2, '0')}${year}`);
  return text.includes(',') && text.replace(commas, '$1').includes(typed.replace(commas, '$1'));
}
