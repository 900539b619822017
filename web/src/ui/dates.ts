import { once } from './once';
import { businessZone } from './zone';

/*
 * A date without a time is a string, YYYY-MM-DD, from the wire to the screen: no time zone can move it.
 */

const monthFirst = /^(\d{1,2})([-/. ])(\d{1,2})\2([1-9]\d{3})$/;
const iso = /^([1-9]\d{3})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads a date as people type it: M/D/YYYY with - / . or a space between, YYYY-MM-DD, or an ISO timestamp, of
 * which the date part counts. Answers YYYY-MM-DD, or null for what is no date.
 */
export function parseDate(text: string): string | null {
  const typed = text.trim();
  const american = monthFirst.exec(typed);
  if (american) return calendarDate(Number(american[4]), Number(american[1]), Number(american[3]));
  const international = iso.exec(typed);
  if (international)
    return calendarDate(Number(international[1]), Number(international[2]), Number(international[3]));
  return null;
}

/** MM/DD/YYYY of a date or timestamp from the wire; nothing for what is no date. */
export function formatDate(value: string | null | undefined): string {
  const date = value ? parseDate(value) : null;
  return date ? `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}` : '';
}

/** Writes moments as they are where the business is. */
function inZone(locale: string, options: Intl.DateTimeFormatOptions): (moment: Date) => string {
  let made: { zone: string; format: Intl.DateTimeFormat } | null = null;
  return (moment) => {
    const zone = businessZone();
    if (made?.zone !== zone)
      made = { zone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }) };
    return made.format.format(moment);
  };
}

const dayIn = inZone('sv-SE', { dateStyle: 'short' });
// Named, as moments elsewhere on the screen go by the reader's clock.
const clockIn = inZone('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'shortGeneric' });
const timeIn = inZone('sv-SE', { timeStyle: 'short' });

/** MM/DD/YYYY of the day on which an instant fell where the business is. */
export function formatInstant(instant: string | null | undefined): string {
  if (!instant) return '';
  const moment = new Date(instant);
  return Number.isNaN(moment.getTime()) ? '' : formatDate(dayIn(moment));
}

/** The time of day of an instant where the business is, as 3:05 PM ET. */
export function formatInstantTime(instant: string | null | undefined): string {
  if (!instant) return '';
  const moment = new Date(instant);
  return Number.isNaN(moment.getTime()) ? '' : clockIn(moment);
}

/** MM/DD/YYYY and the time of day of an instant where the business is. */
export const formatInstantMoment = (instant: string | null | undefined): string =>
  [formatInstant(instant), formatInstantTime(instant)].filter(Boolean).join(', ');

const timeOfDay = once(() => new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }));

/** MM/DD/YYYY and the time of day of an instant where the reader is. */
export function formatMoment(instant: string): string {
  const moment = new Date(instant);
  return `${formatDate(localDate(moment))}, ${timeOfDay().format(moment)}`;
}

const weekday = once(() => new Intl.DateTimeFormat('en-US', { weekday: 'long' }));

/** A moment before now where the reader is, as one says it: today 4:10 PM, Friday 4:10 PM, 11/06/2026 4:10 PM. */
export function formatSince(instant: string): string {
  const moment = new Date(instant);
  const [day, now] = [localDate(moment), localDate(new Date())];
  const said = day === now ? 'today' : day > addDays(now, -7) ? weekday().format(moment) : formatDate(day);
  return `${said} ${timeOfDay().format(moment)}`;
}

/** The day where the business is, YYYY-MM-DD. */
export const today = () => dayIn(new Date());

const zoneIn = inZone('en-US', { timeZoneName: 'longGeneric' });

/** The name of the time where the business is: Eastern Time. */
export const zoneName = () => zoneIn(new Date()).replace(/^[\d/]+, /, '');

const markIn = inZone('en-US', { timeZoneName: 'shortGeneric' });

/** The mark of that time beside a time of day: ET. */
export const zoneMark = () => markIn(new Date()).replace(/^[\d/]+, /, '');

/** The time of day where the business is, HH:MM. */
export const timeNow = () => timeIn(new Date());

export const isFuture = (date: string) => date > today();

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** How many days after one date another is. */
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

function calendarDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}

function localDate(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
