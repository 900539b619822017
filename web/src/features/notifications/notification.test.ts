import { afterEach, expect, it, vi } from 'vitest';
import { getStatus, isBeingSent, isDue } from './notification';

afterEach(() => vi.useRealTimers());

interface Case {
  at: string;
  saved?: string;
  sendDt?: string | null;
  status?: 'SENT';
}

it.each<[string, Case, boolean]>([
  ['at 8:00 of its day', { at: '2026-06-15T12:00:00Z' }, true],
  ['before that', { at: '2026-06-15T11:59:00Z' }, false],
  ['after its day', { at: '2026-06-15T12:00:00Z', sendDt: '2026-06-14' }, true],
  ['in winter', { at: '2026-01-15T13:00:00Z', sendDt: '2026-01-15' }, true],
  ['in winter, an hour before', { at: '2026-01-15T12:59:00Z', sendDt: '2026-01-15' }, false],
  ['a minute after it was saved', { at: '2026-06-15T12:01:00Z', saved: '2026-06-15T12:00:00Z' }, false],
  ['sent', { at: '2026-06-15T12:00:00Z', status: 'SENT' }, false],
  ['without a date', { at: '2026-06-15T12:00:00Z', sendDt: null }, false],
])('is being sent, in New York time: %s', (_, { at, saved = at, ...part }, expected) => {
  vi.useFakeTimers({ now: new Date(at), toFake: ['Date'] });
  const due = { status: 'SCHEDULED' as const, sendDt: '2026-06-15', lastUpdate: saved };
  expect(isBeingSent({ ...due, ...part })).toBe(expected);
});

it("this evening is due, though it's tomorrow elsewhere", () => {
  vi.useFakeTimers({ now: new Date('2026-06-16T00:30:00Z'), toFake: ['Date'] });
  expect(['2026-06-15', '2026-06-16'].map(isDue)).toEqual([true, false]);
});

it('has the status of its values', () => {
  const values = { name: 'News', campaign: 'Spring', requestedBy: '', link: 'https://a.example', sendDt: '' };
  expect(getStatus(values, true)).toBe('READY');
  expect(getStatus({ ...values, sendDt: '06/15/2026' }, true)).toBe('SCHEDULED');
  for (const part of [{ name: ' ' }, { campaign: '' }, { link: '' }])
    expect(getStatus({ ...values, ...part, sendDt: '06/15/2026' }, true)).toBe('DRAFT');
  expect(getStatus(values, false)).toBe('DRAFT');
});
