import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addDays,
  countDays,
  formatBusinessDate,
  formatBusinessTime,
  formatDate,
  formatLocalDateTime,
  formatSince,
  getCurrentTime,
  isFuture,
  parseDate,
  today,
} from './dates';
import { setZone } from './zone';

describe('parseDate', () => {
  it.each([
    ['3/4/2025', '2025-03-04'],
    ['03-04-2025', '2025-03-04'],
    ['3.4.2025', '2025-03-04'],
    ['3 4 2025', '2025-03-04'],
    [' 12/31/1999 ', '1999-12-31'],
    ['2025-03-04', '2025-03-04'],
    ['2025-03-04T23:59:59Z', '2025-03-04'],
    ['2025-03-04T08:00:00.123+02:00', '2025-03-04'],
    ['2/29/2024', '2024-02-29'],
  ])('parses %s', (text, date) => expect(parseDate(text)).toBe(date));

  it.each([
    '',
    'soon',
    '2/29/2025',
    '13/1/2025',
    '0/1/2025',
    '4/31/2025',
    '3/4/25',
    '3/4-2025',
    '2025-3-4',
    '2025-02-30',
    '03/04/2025x',
  ])('rejects %s', (text) => expect(parseDate(text)).toBeNull());
});

describe('formatted dates', () => {
  it('are MM/DD/YYYY', () => {
    expect(formatDate('2025-03-04')).toBe('03/04/2025');
    expect(formatDate('2025-03-04T00:00:00Z')).toBe('03/04/2025');
  });

  it('are empty without a date', () => {
    expect(formatDate(null)).toBe('');
    expect(formatDate('unknown')).toBe('');
    expect(formatBusinessDate(undefined)).toBe('');
    expect(formatBusinessDate('unknown')).toBe('');
  });

  it('of a timestamp use the business time zone', () => {
    expect(formatBusinessDate('2025-03-05T04:30:00Z')).toBe('03/04/2025');
    expect(formatBusinessDate('2025-03-05T05:30:00Z')).toBe('03/05/2025');
    expect(formatBusinessTime('2025-03-05T04:30:00Z').replace('\u202f', ' ')).toBe('11:30 PM ET');
    expect([undefined, 'unknown'].map(formatBusinessTime)).toEqual(['', '']);
  });
});

describe('days', () => {
  beforeEach(() => vi.useFakeTimers({ now: new Date('2026-04-01T03:59:00Z') }));
  afterEach(() => {
    setZone('America/New_York');
    vi.useRealTimers();
  });

  it('include today and the time in the business time zone', () => {
    expect([today(), getCurrentTime()]).toEqual(['2026-03-31', '23:59']);
    setZone('Asia/Tokyo');
    expect([today(), getCurrentTime()]).toEqual(['2026-04-01', '12:59']);
  });

  it('can be in the future', () => {
    expect(isFuture('2026-03-31')).toBe(false);
    expect(isFuture('2026-04-01')).toBe(true);
  });

  it('are counted across months, leap days and clock changes', () => {
    expect(addDays('2024-02-26', 7)).toBe('2024-03-04');
    expect(addDays('2026-03-05', 7)).toBe('2026-03-12');
    expect(addDays('2026-01-03', -7)).toBe('2025-12-27');
    expect(countDays('2026-03-01', '2026-04-01')).toBe(31);
    expect(countDays('2026-03-01', '2026-02-28')).toBe(-1);
  });
});

describe("a time in the reader's zone", () => {
  // Times that appear together on a screen use one clock, in any business time zone.
  const at = (day: number, hour = 16) => new Date(2026, 10, day, hour, 10).toISOString();
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 10, 25, 23, 50) });
    setZone('Pacific/Kiritimati');
  });
  afterEach(() => vi.useRealTimers());

  it.each([
    [at(25), 'today 4:10 PM'],
    [at(25, 0), 'today 12:10 AM'],
    [at(24), 'Tuesday 4:10 PM'],
    [at(19), 'Thursday 4:10 PM'],
    [at(18), '11/18/2026 4:10 PM'],
  ])('%s is formatted as %s', (instant, said) => expect(formatSince(instant)).toBe(said));

  it('uses one clock', () => expect(formatLocalDateTime(at(24))).toBe('11/24/2026, 4:10 PM'));
});
