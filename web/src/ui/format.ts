import { once } from './once';

// Not by Intl: what a browser makes for its first number takes it 30 ms on a telephone, before the first screen.
const grouped = (number: string) => number.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** $1,234.50; nothing where there is no amount. */
export const formatMoney = (amount: number | null | undefined) =>
  amount == null ? '' : `${amount < 0 ? '-' : ''}$${grouped(Math.abs(amount).toFixed(2))}`;

/** 5,000; of whole numbers. */
export const formatCount = (count: number) => grouped(String(count));

const tenths = once(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/** 98.7% of a share from 0 to 1, and 100% of all. What is not all is never written so, nor what is not nothing as nothing. */
export function formatPercent(share: number): string {
  const shown = Math.round(share * 1000);
  if (shown === 1000 && share < 1) return 'under 100%';
  if (shown === 0 && share > 0) return 'over 0%';
  return shown % 1000 === 0 ? `${shown / 10}%` : tenths().format(share);
}

/** ddd-ddd-dddd for ten digits; anything else stays as it is. */
export function formatPhone(phone: string | null | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '');
  return digits.length === 10
    ? `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`
    : (phone ?? '');
}

/** Nine digits, with the zeros in front that a number loses. */
export function formatTin(tin: string | number | null | undefined): string {
  const digits = String(tin ?? '').replace(/\D/g, '');
  return digits ? digits.padStart(9, '0') : '';
}
