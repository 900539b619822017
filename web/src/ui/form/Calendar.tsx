import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import dayjs from 'dayjs';
import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { addDays, today } from '../dates';
import styles from './DateField.module.css';

export interface CalendarProps {
  date: string | null;
  minDate?: string;
  maxDate?: string;
  onPick: (date: string) => void;
}

/**
 * A date field's calendar. The focus starts at the selected day, or today. Keys move it across
 * months.
 */
export default function Calendar({ date, minDate, maxDate, onPick }: CalendarProps) {
  const start = date ?? maxDate ?? today();
  const [shown, setShown] = useState(start);

  function move(event: KeyboardEvent<HTMLElement>) {
    const day = (event.target as HTMLElement).dataset.day;
    const moved = moveByKey[event.key];
    if (!day || !moved || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // The picker's own key handling stops at the end of the month.
    event.stopPropagation();
    event.preventDefault();
    const to = clamp(moved(day), minDate, maxDate);
    const calendar = event.currentTarget;
    flushSync(() => setShown(to));
    calendar.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus();
  }

  return (
    <DatePicker
      value={date}
      date={shown}
      onDateChange={setShown}
      minDate={minDate}
      maxDate={maxDate}
      onChange={(picked) => picked && onPick(picked)}
      onKeyDownCapture={move}
      firstDayOfWeek={0}
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      getDayAriaLabel={(day) => dayjs(day).format('MMMM D, YYYY')}
      getDayProps={(day) => ({
        'data-day': day,
        'data-autofocus': day === start || undefined,
        'aria-pressed': day === date,
      })}
      classNames={{ day: styles.day, weekday: styles.weekday, calendarHeaderControl: styles.turn }}
    />
  );
}

const moveByKey: Record<string, (day: string) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -dayjs(day).day()),
  End: (day) => addDays(day, 6 - dayjs(day).day()),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

const addMonths = (day: string, months: number) => dayjs(day).add(months, 'month').format('YYYY-MM-DD');

function clamp(day: string, first = day, last = day): string {
  if (day < first) return first;
  return day > last ? last : day;
}
