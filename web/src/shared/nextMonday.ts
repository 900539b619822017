import { addDays } from '@/ui/dates';

/** Returns the first Monday after a date. */
export function getNextMonday(date: string): string {
  // 0 is Sunday.
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, ((7 - weekday) % 7) + 1);
}
