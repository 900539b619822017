import { addDays } from '@/ui/dates';

/** Reports whether the next Monday is neither tomorrow nor in a week, which are offered anyway. */
export const offersMonday = (date: string) =>
  ![1, 7].some((days) => addDays(date, days) === getNextMonday(date));

/** Returns the first Monday after a date. */
export function getNextMonday(date: string): string {
  // 0 is Sunday.
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, ((7 - weekday) % 7) + 1);
}
