import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { useEffect, useRef } from 'react';
import styles from './DateField.module.css';

interface Props {
  date: string | null;
  minDate?: string;
  maxDate?: string;
  onPick: (date: string) => void;
}

/** The calendar of a date field, loaded when one is first opened. */
export default function Calendar({ date, minDate, maxDate, onPick }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // It arrives after the popover has taken the focus, so it takes it over: at the chosen day, or today.
  useEffect(() => {
    const days = [...(box.current?.querySelectorAll<HTMLElement>('td button:not(:disabled)') ?? [])];
    const start =
      days.find((day) => 'selected' in day.dataset) ?? days.find((day) => 'today' in day.dataset) ?? days[0];
    start?.focus();
  }, []);
  return (
    <DatePicker
      ref={box}
      value={date}
      defaultDate={date ?? maxDate}
      minDate={minDate}
      maxDate={maxDate}
      onChange={(picked) => picked && onPick(picked)}
      firstDayOfWeek={0}
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      previousLabel="Previous"
      nextLabel="Next"
      classNames={{ day: styles.day, weekday: styles.weekday, calendarHeaderControl: styles.turn }}
    />
  );
}
