import type { components } from '@/api/schema';

export type Matched = components['schemas']['MatchedDeposits'];
export type Deposit = Matched['deposits'][number];
export type Answer = Deposit['answer'];
export type Remittance = Deposit['remittances'][number];

/** The answers of deposits as in the server's file, in the order of the list. */
export const answerNames: Record<Answer, string> = {
  none: 'No remittance',
  short: 'Short',
  over: 'Over',
  differs: 'Amount differs',
  repeated: 'Repeated trace',
  unreadable: 'Not readable',
  outside: 'Date outside range',
  negative: 'Withdrawal',
  zero: 'Zero amount',
  proposed: 'Proposed',
  several: 'Several remittances',
  matched: 'Matched',
  missing: 'No deposit',
  possible: 'Possible duplicate',
  noPayment: 'No payment',
};

const order = Object.keys(answerNames) as Answer[];

export const answerKinds: Partial<Record<Answer, 'success' | 'info' | 'warning' | 'error'>> = {
  none: 'error',
  short: 'error',
  over: 'warning',
  differs: 'warning',
  repeated: 'warning',
  unreadable: 'warning',
  outside: 'warning',
  proposed: 'info',
  several: 'info',
  matched: 'success',
  missing: 'error',
  possible: 'warning',
};

/** The deposits with the problems first. */
export const sortDeposits = (deposits: readonly Deposit[]): Deposit[] =>
  [...deposits].sort((a, b) => order.indexOf(a.answer) - order.indexOf(b.answer) || a.line - b.line);

export interface Sum {
  answer: Answer;
  count: number;
  /** In dollars. */
  amount: number;
}

/** The number and amount of the deposits of each answer. */
export const sumAnswers = (deposits: readonly Deposit[]): Sum[] =>
  order
    .map((answer) => {
      const list = deposits.filter((deposit) => deposit.answer === answer);
      return { answer, count: list.length, amount: add(list.map(({ amount }) => amount ?? 0)) };
    })
    .filter(({ count }) => count > 0);

/** Adds dollars without the errors of binary fractions. */
export const add = (amounts: readonly number[]) =>
  amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;

/** The sums of all deposits and of the matched ones. Repeated and unreadable lines, such as a total, don't count. */
export const sumDeposits = (deposits: readonly Deposit[]) => {
  const sum = (is: (deposit: Deposit) => boolean) =>
    add(deposits.filter(is).map(({ amount }) => Math.max(amount ?? 0, 0)));
  return {
    deposited: sum(({ answer }) => answer !== 'repeated' && answer !== 'unreadable'),
    matched: sum(({ answer }) => answer === 'matched'),
  };
};

/** The remittances of deposits that the group hasn't posted, or posted with other amounts. */
export const listUnposted = (deposits: readonly Deposit[]): Remittance[] =>
  deposits.flatMap(({ remittances }) => remittances).filter(({ posted }) => posted?.state !== 'posted');

/** Replaces the posted status of remittances. */
export const replacePosted = (
  result: Matched,
  posted: ReadonlyMap<string, Remittance['posted']>,
): Matched => ({
  ...result,
  deposits: result.deposits.map((deposit) => ({
    ...deposit,
    remittances: deposit.remittances.map((row) =>
      posted.has(row.id) ? { ...row, posted: posted.get(row.id) } : row,
    ),
  })),
});
