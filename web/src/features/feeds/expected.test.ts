import { expect, test } from 'vitest';
import { describeExpectation } from './expected';

test.each([
  ['30 7 * * *', 30, 'Every day at 7:30 AM ET, late after 30 minutes'],
  ['0 6 * * 1-5', 60, 'Monday to Friday at 6:00 AM ET, late after 1 hour'],
  ['0 6 * * MON-FRI', 120, 'Monday to Friday at 6:00 AM ET, late after 2 hours'],
  ['0 18 * * 2', 1440, 'Every Tuesday at 6:00 PM ET, late after 1 day'],
  ['0 18 * * 2,4', 2880, 'Tuesday and Thursday at 6:00 PM ET, late after 2 days'],
  ['0 18 * * 1,3,sat', 90, 'Monday, Wednesday and Saturday at 6:00 PM ET, late after 90 minutes'],
  ['15 0 * * 0-6', 0, 'Every day at 12:15 AM ET, late right away'],
  ['0 12 1 * *', 1, 'On the 1st of every month at 12:00 PM ET, late after 1 minute'],
  ['0 9 1,15 * ?', 30, 'On the 1st and 15th of every month at 9:00 AM ET, late after 30 minutes'],
  ['0 9 2-4 1,7 *', 30, 'On the 2nd to 4th of January and July at 9:00 AM ET, late after 30 minutes'],
  [
    '0 9 11,22,23 JAN-MAR *',
    30,
    'On the 11th, 22nd and 23rd of January to March at 9:00 AM ET, late after 30 minutes',
  ],
  ['0 9 * 12 1-5', 30, 'Monday to Friday in December at 9:00 AM ET, late after 30 minutes'],
  ['0 6,18 * * *', 30, 'Every day at 6:00 AM and 6:00 PM ET, late after 30 minutes'],
  ['0 * * * *', 30, 'Every hour, late after 30 minutes'],
  ['5 * * * 1-5', 30, '5 minutes after every hour, Monday to Friday, late after 30 minutes'],
  ['@daily', 30, 'Every day at 12:00 AM ET, late after 30 minutes'],
  ['@monthly', 30, 'On the 1st of every month at 12:00 AM ET, late after 30 minutes'],
])('%s and %i minutes are described as %s', (expected, graceMinutes, words) => {
  expect(describeExpectation({ expected, graceMinutes }, 'ET')).toBe(words);
});

test.each([
  '*/5 * * * *',
  '0 9 1 * 1',
  '* * * * *',
  '0 0-23/2 * * *',
  '0,30 8-17 * * *',
  '0 9 L * *',
  '0 25 * * *',
  '0 9 * *',
])('other expressions stay unchanged: %s', (expected) => {
  expect(describeExpectation({ expected, graceMinutes: 30 }, 'ET')).toBe(
    `${expected}, late after 30 minutes`,
  );
});

test('without a schedule, nothing is shown', () => {
  expect(describeExpectation({ expected: '', graceMinutes: 30 }, 'ET')).toBe('');
});
