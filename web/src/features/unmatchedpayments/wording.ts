import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import type { Difference } from './queries';

/** The fields in which a payment and a bill can differ. */
export const differenceNames = {
  LAST_NAME: "Claimant's last name",
  FIRST_NAME: "Claimant's first name",
  BIRTH_DATE: "Claimant's birth date",
  ACCOUNT: 'Account number',
  DAY: 'First date of service',
  CHARGE: 'Charge',
} as const;

/** Formats a value of a field that differs. */
export const formatValue = (what: Difference['what'], value: string) =>
  what === 'CHARGE'
    ? formatMoney(Number(value))
    : what === 'DAY' || what === 'BIRTH_DATE'
      ? formatDate(value)
      : value;
