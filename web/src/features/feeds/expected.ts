import { pluralize } from '@/ui/pluralize';
import { capitalize } from '@/ui/text';

/* Describes when a source's files are expected, from the five fields of a cron expression. */

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const shortcuts: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** A field that can't be described. */
class NotDescribable extends Error {}

/** Returns a field's values in order; null if it matches all. */
function parseValues(
  field: string,
  from: number,
  to: number,
  names: readonly string[] = [],
): number[] | null {
  if (field === '*' || field === '?') return null;
  const parseNumber = (text: string) => {
    const named = names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase());
    const value = named >= 0 ? named + from : /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= from && value <= to)) throw new NotDescribable();
    return value;
  };
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [first = '', last = first, ...more] = part.split('-');
    if (more.length > 0) throw new NotDescribable();
    for (let value = parseNumber(first); value <= parseNumber(last); value++) values.add(value);
  }
  if (values.size === 0) throw new NotDescribable();
  return [...values].sort((a, b) => a - b);
}

/** A, B and C. */
const joinWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Describes values, with three or more consecutive ones as a range. */
function formatRange(values: readonly number[], word: (value: number) => string): string {
  const [first = 0] = values;
  const last = values.at(-1) ?? first;
  return values.length > 2 && last - first === values.length - 1
    ? `${word(first)} to ${word(last)}`
    : joinWords(values.map(word));
}

const formatOrdinal = (day: number) => {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
};

const formatClock = (hour: number, minute: number) =>
  `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;

// More times per day than this don't fit into a sentence.
const maxTimes = 4;

function describeTimes(minute: string, hour: string, zone: string): string {
  const minutes = parseValues(minute, 0, 59);
  const hours = parseValues(hour, 0, 23);
  if (minutes === null) throw new NotDescribable();
  if (hours === null) {
    const [at] = minutes;
    if (at === undefined || minutes.length > 1) throw new NotDescribable();
    return at === 0 ? 'every hour' : `${pluralize(at, 'minute')} after every hour`;
  }
  const times = hours.flatMap((hour) => minutes.map((minute) => formatClock(hour, minute)));
  if (times.length > maxTimes) throw new NotDescribable();
  return `at ${[joinWords(times), zone].filter(Boolean).join(' ')}`;
}

function describeDays(day: string, month: string, weekday: string): string {
  const days = parseValues(day, 1, 31);
  const inMonths = parseValues(month, 1, 12, months);
  // The server accepts no 7 for Sunday.
  const on = parseValues(weekday, 0, 6, weekdays);
  // With both days of the month and weekdays, either one matches. No short sentence says that.
  if (days !== null && on !== null) throw new NotDescribable();
  const monthText = inMonths && formatRange(inMonths, (value) => months[value - 1] ?? '');
  if (days !== null) {
    const numbers = formatRange(days, formatOrdinal);
    return monthText ? `on the ${numbers} of ${monthText}` : `on the ${numbers} of every month`;
  }
  const week =
    on === null || on.length === 7
      ? 'every day'
      : on.length === 1
        ? `every ${weekdays[on[0] ?? 0]}`
        : formatRange(on, (value) => weekdays[value] ?? '');
  return monthText ? `${week} in ${monthText}` : week;
}

/** Every day at 7:30 AM ET; the expression itself if it can't be described. */
function describeSchedule(expected: string, zone: string): string {
  const fields = (shortcuts[expected.toLowerCase()] ?? expected).trim().split(/\s+/);
  if (fields.length !== 5) return expected;
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  try {
    const times = describeTimes(minute, hour, zone);
    const days = describeDays(day, month, weekday);
    const hourly = hour === '*' || hour === '?';
    return capitalize(
      hourly && days === 'every day' ? times : hourly ? `${times}, ${days}` : `${days} ${times}`,
    );
  } catch (error) {
    if (error instanceof NotDescribable) return expected;
    throw error;
  }
}

/** 30 minutes, 2 hours, 1 day. */
function formatMinutes(minutes: number): string {
  const [unit, size] =
    minutes % 1440 === 0 ? ['day', 1440] : minutes % 60 === 0 ? ['hour', 60] : ['minute', 1];
  const count = minutes / Number(size);
  return pluralize(count, String(unit));
}

/** Describes when a source's files are expected and when they're late. Empty without a schedule. */
export function describeExpectation(
  { expected, graceMinutes }: { expected: string; graceMinutes: number },
  zone: string,
): string {
  if (expected === '') return '';
  return `${describeSchedule(expected, zone)}, late ${graceMinutes > 0 ? `after ${formatMinutes(graceMinutes)}` : 'right away'}`;
}
