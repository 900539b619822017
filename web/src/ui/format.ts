import { lazyValue } from './lazyValue';

// Without Intl: creating the browser's first number format takes 30 ms on a phone, before the
// first screen.
const groupDigits = (number: string) => number.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** $1,234.50; empty without an amount. */
export const formatMoney = (amount: number | null | undefined) =>
  amount == null ? '' : `${amount < 0 ? '-' : ''}$${groupDigits(Math.abs(amount).toFixed(2))}`;

/** 5,000; whole numbers only. */
export const formatCount = (count: number) => groupDigits(String(count));

const tenthsFormat = lazyValue(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/**
 * Formats a share from 0 to 1 as 98.7%, and 1 as 100%. It never rounds to 100% or 0% unless
 * that's exact.
 */
export function formatPercent(share: number): string {
  const shown = Math.round(share * 1000);
  if (shown === 1000 && share < 1) return 'under 100%';
  if (shown === 0 && share > 0) return 'over 0%';
  return shown % 1000 === 0 ? `${shown / 10}%` : tenthsFormat().format(share);
}

/** ddd-ddd-dddd for ten digits; other text is unchanged. */
export function formatPhone(phone: string | null | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '');
  return digits.length === 10
    ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`
    : (phone ?? '');
}

/** Nine digits, with the leading zeros that a number loses. */
export function formatTin(tin: string | number | null | undefined): string {
  const digits = String(tin ?? '').replace(/\D/g, '');
  return digits ? digits.padStart(9, '0') : '';
}
