import { expect, it } from 'vitest';
import { formatCount, formatMoney, formatPercent, formatPhone, formatTin } from './format';
import { normalizeText } from './text';

it('formats money in dollars and a missing amount as empty', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney(0)).toBe('$0.00');
  expect(formatMoney(null)).toBe('');
  expect(formatMoney(-1234567.8)).toBe('-$1,234,567.80');
  expect(formatMoney(-0)).toBe('$0.00');
});

it("groups a count's digits", () => {
  expect([0, 999, 1000, 12345678, -1234].map(formatCount)).toEqual([
    '0',
    '999',
    '1,000',
    '12,345,678',
    '-1,234',
  ]);
});

it('formats ten digits as a phone number and leaves other text unchanged', () => {
  expect(formatPhone('2125550100')).toBe('212-555-0100');
  expect(formatPhone('(212) 555 0100')).toBe('212-555-0100');
  expect(formatPhone('5550100')).toBe('5550100');
  expect(formatPhone(null)).toBe('');
});

it("restores a TIN's leading zeros", () => {
  expect(formatTin(12345678)).toBe('012345678');
  expect(formatTin('12-3456789')).toBe('123456789');
  expect(formatTin(null)).toBe('');
});

it('normalizes text: trimmed, composed, single spaces', () => {
  expect(normalizeText('  Jose\u0301 \t de\u00a0 la  Cruz ')).toBe('José de la Cruz');
});

it('formats only exact shares as 0% and 100%', () => {
  expect([1, 0, 0.5, 0.9366, 0.9996, 0.0001, 0.999].map(formatPercent)).toEqual([
    '100%',
    '0%',
    '50.0%',
    '93.7%',
    'under 100%',
    'over 0%',
    '99.9%',
  ]);
});
