import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/dates/styles.layer.css';
import { DatePicker } from '@mantine/dates';
import { today } from '../dates';
import styles from './DateField.module.css';

export interface CalendarProps {
  date: string | null;
  minDate?: string;
  maxDate?: string;
  onPick: (date: string) => void;
}

/** The calendar of a date field. The focus starts at the chosen day, or today. */
export default function Calendar({ date, minDate, maxDate, onPick }: CalendarProps) {
  const start = date ?? maxDate ?? today();
  return (
    <DatePicker
      value={date}
      defaultDate={start}
      minDate={minDate}
      maxDate={maxDate}
      onChange={(picked) => picked && onPick(picked)}
      firstDayOfWeek={0}
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
      getDayProps={(day) => (day === start ? { 'data-autofocus': true } : {})}
      classNames={{ day: styles.day, weekday: styles.weekday, calendarHeaderControl: styles.turn }}
    />
  );
}
