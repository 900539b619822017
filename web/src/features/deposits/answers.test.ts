import { expect, test } from 'vitest';
import { type Deposit, sumDeposits } from './answers';

test('lines that repeat a deposit or have an unreadable cell are not deposits', () => {
  const deposit = (answer: Deposit['answer'], amount: number) => ({ answer, amount }) as Deposit;
  expect(
    sumDeposits([
      deposit('matched', 100.1),
      deposit('none', 20.2),
      deposit('repeated', 100.1),
      deposit('unreadable', 220.4), // the list's total
    ]),
  ).toEqual({ deposited: 120.3, matched: 100.1 });
});
