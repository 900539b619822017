import { lazyValue } from './lazyValue';
import { getBusinessZone } from './zone';

/*
 * A date without a time is a YYYY-MM-DD string from the API to the screen, so that no time zone
 * can shift it.
 */

const monthFirst = /^(\d{1,2})([-/. ])(\d{1,2})\2([1-9]\d{3})$/;
const iso = /^([1-9]\d{3})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Parses a typed date: M/D/YYYY separated by - / . or a space, YYYY-MM-DD, or an ISO timestamp,
 * whose time it ignores. Returns YYYY-MM-DD, or null if it isn't a date.
 */
export function parseDate(text: string): string | null {
  const typed = text.trim();
  const american = monthFirst.exec(typed);
  if (american) return makeDate(Number(american[4]), Number(american[1]), Number(american[3]));
  const international = iso.exec(typed);
  if (international)
    return makeDate(Number(international[1]), Number(international[2]), Number(international[3]));
  return null;
}

/** Formats an API date or timestamp as MM/DD/YYYY; empty if it isn't a date. */
export function formatDate(value: string | null | undefined): string {
  const date = value ? parseDate(value) : null;
  return date ? `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}` : '';
}

/** Returns a formatter for the business time zone. */
function createZoneFormatter(locale: string, options: Intl.DateTimeFormatOptions): (moment: Date) => string {
  let made: { zone: string; format: Intl.DateTimeFormat } | null = null;
  return (moment) => {
    const zone = getBusinessZone();
    if (made?.zone !== zone)
      made = { zone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }) };
    return made.format.format(moment);
  };
}

const formatZoneDay = createZoneFormatter('sv-SE', { dateStyle: 'short' });
// With the zone's name, because other times on the screen are in the reader's zone.
const formatZoneTime = createZoneFormatter('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'shortGeneric',
});
const formatZoneClock = createZoneFormatter('sv-SE', { timeStyle: 'short' });

/** Formats a timestamp's date as MM/DD/YYYY in the business time zone. */
export function formatBusinessDate(instant: string | null | undefined): string {
  if (!instant) return '';
  const moment = new Date(instant);
  return Number.isNaN(moment.getTime()) ? '' : formatDate(formatZoneDay(moment));
}

/** Formats a timestamp's time of day in the business time zone: 3:05 PM ET. */
export function formatBusinessTime(instant: string | null | undefined): string {
  if (!instant) return '';
  const moment = new Date(instant);
  return Number.isNaN(moment.getTime()) ? '' : formatZoneTime(moment);
}

/** Formats a timestamp as MM/DD/YYYY and time of day in the business time zone. */
export const formatBusinessDateTime = (instant: string | null | undefined): string =>
  [formatBusinessDate(instant), formatBusinessTime(instant)].filter(Boolean).join(', ');

const clockFormat = lazyValue(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }));

/** Formats a timestamp as MM/DD/YYYY and time of day in the reader's time zone. */
export function formatLocalDateTime(instant: string): string {
  const moment = new Date(instant);
  return `${formatDate(formatLocalDay(moment))}, ${clockFormat().format(moment)}`;
}

const weekdayFormat = lazyValue(() => new Intl.DateTimeFormat('en-US', { weekday: 'long' }));

/**
 * Formats a past timestamp in the reader's time zone: today 4:10 PM, Friday 4:10 PM, 11/06/2026
 * 4:10 PM.
 */
export function formatSince(instant: string): string {
  const moment = new Date(instant);
  const [day, now] = [formatLocalDay(moment), formatLocalDay(new Date())];
  const dayText =
    day === now ? 'today' : day > addDays(now, -7) ? weekdayFormat().format(moment) : formatDate(day);
  return `${dayText} ${clockFormat().format(moment)}`;
}

/** The current date in the business time zone, YYYY-MM-DD. */
export const today = () => formatZoneDay(new Date());

const formatZoneName = createZoneFormatter('en-US', { timeZoneName: 'longGeneric' });

/** The business time zone's name: Eastern Time. */
export const getZoneName = () => formatZoneName(new Date()).replace(/^[\d/]+, /, '');

const formatZoneMark = createZoneFormatter('en-US', { timeZoneName: 'shortGeneric' });

/** The business time zone's abbreviation after a time: ET. */
export const getZoneAbbreviation = () => formatZoneMark(new Date()).replace(/^[\d/]+, /, '');

/** The current time in the business time zone, HH:MM. */
export const getCurrentTime = () => formatZoneClock(new Date());

export const isFuture = (date: string) => date > today();

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** Counts the days between two dates. */
export const countDays = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

function makeDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}

function formatLocalDay(moment: Date): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
}
