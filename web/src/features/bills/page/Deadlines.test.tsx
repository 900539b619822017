import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, type Replies } from '@/api/testing';
import { KitProvider } from '@/ui/KitProvider';
import { Deadlines } from './Deadlines';
import type { Deadline, Interest, Deadlines as Told } from './queries';

let replies: Replies;
beforeEach(() => {
  replies = {};
  fakeServer(replies);
});

const makeDeadline = (part: Partial<Deadline> = {}): Deadline => ({
  kind: 'PAYER_ANSWER',
  basis: 'PAYER_RECEIVED',
  amount: 45,
  unit: 'DAYS',
  nextWorkday: false,
  condition: '',
  rate: 0,
  citation: '28 TAC 133.240',
  url: 'https://law.example/133',
  text: 'The payer answers <b>in time</b>.',
  reviewedBy: 'J. Quill, counsel',
  reviewedOn: '2025-05-02',
  on: '2025-07-21',
  daysLeft: 3,
  from: { on: '2025-06-06', from: 'payer', about: false },
  ...part,
});

const makeDeadlines = (part: Partial<Told>): Told => ({
  answer: 'counted',
  state: 'Texas',
  line: 'WC',
  today: '2025-07-18',
  deadlines: [],
  interest: [],
  ...part,
});

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <KitProvider>
        <Deadlines id="x" />
      </KitProvider>
    </QueryClientProvider>,
  );

function show(told: Told) {
  replies['GET /work/bills/x/deadlines'] = { body: told };
  open();
}

const times = async () => {
  await screen.findByText("For reference only. This isn't legal advice.");
  return screen.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
};

test('shows when a deadline ends, by which rule, and the days left', async () => {
  show(
    makeDeadlines({
      deadlines: [
        makeDeadline(),
        makeDeadline({
          kind: 'PAYER_PAY',
          daysLeft: -12,
          on: '2025-07-06',
          condition: 'PAPER',
          amount: 1,
          unit: 'MONTHS',
        }),
        makeDeadline({
          kind: 'FOLLOW_UP_FROM',
          daysLeft: 8,
          on: '2025-07-26',
          from: { on: '2025-06-06', from: 'file', about: true },
        }),
        makeDeadline({ kind: 'OFFICE_DISPUTE', daysLeft: 0, on: '2025-07-18', unit: 'BUSINESS_DAYS' }),
      ],
    }),
  );
  expect(await times()).toEqual([
    'Payer response due: 07/21/2025 (45 days from 06/06/2025; Texas, 28 TAC 133.240). 3 days left',
    'Payment due (sent on paper): 07/06/2025 (1 month from 06/06/2025; Texas, 28 TAC 133.240). passed 12 days ago',
    'Earliest follow-up date: about 07/26/2025 (45 days from 06/06/2025; Texas, 28 TAC 133.240). in about 8 days',
    'Deadline to dispute: 07/18/2025 (45 business days from 06/06/2025; Texas, 28 TAC 133.240). due today',
  ]);
});

test('shows possible interest, without claiming it', async () => {
  const interest = (part: Partial<Interest>): Interest => ({
    ...makeDeadline({ kind: 'INTEREST', rate: 1, citation: '820 ILCS 305/8.2', on: '2025-07-06' }),
    until: '2025-07-18',
    interest: 3.87,
    ...part,
  });
  show(
    makeDeadlines({
      state: 'Illinois',
      interest: [interest({}), interest({ condition: 'PAPER', until: '2025-07-10', interest: null })],
    }),
  );
  expect(await times()).toEqual([
    "Interest may be due: 1% per month from 07/06/2025 (Illinois, 820 ILCS 305/8.2), about $3.87. The portal doesn't claim interest for you.",
    "Interest may be due from 07/06/2025 to 07/10/2025 (Illinois, 820 ILCS 305/8.2; sent on paper). No rate is on file. The portal doesn't claim interest for you.",
  ]);
});

test('a button explains the calculation as text', async () => {
  show(
    makeDeadlines({
      deadlines: [makeDeadline({ from: { on: '2025-06-06', from: 'file', about: true }, nextWorkday: true })],
    }),
  );
  await userEvent.click(
    await screen.findByRole('button', { name: 'How is this calculated? Payer response due' }),
  );
  expect(
    screen.getByText(
      /^Calculated from the date the payer received the bill: 06\/06\/2025 \(the date of the file/,
    ).textContent,
  ).toBe(
    'Calculated from the date the payer received the bill: 06/06/2025 (the date of the file that included the bill). This date is an estimate, so the deadline is approximate. All calendar days count. If the deadline falls on a non-business day, it moves to the next business day.',
  );
  expect(screen.getByText(/The payer answers <b>in time<\/b>\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: '28 TAC 133.240' }).getAttribute('href')).toBe(
    'https://law.example/133',
  );
  expect(screen.getByText('Reviewed by J. Quill, counsel on 05/02/2025.')).toBeTruthy();
});

test.each([
  [{ answer: 'noRule', state: 'Ohio' }, 'No deadline rules on file for Ohio.'],
  [{ answer: 'noRule', state: 'Ohio', line: 'AUTO' }, 'No deadline rules on file for Ohio (auto).'],
  [{ answer: 'assumed', state: 'Ohio' }, /No state on file\. We assumed Ohio from an address/],
  [{ answer: 'noState' }, "No state of jurisdiction is on file, so we can't calculate deadlines."],
  [{ answer: 'noLine' }, /doesn't say whether it's workers' compensation or auto/],
  [{ answer: 'noDay' }, "The rules for Texas don't set a deadline for this bill right now."],
] as [Partial<Told>, string | RegExp][])('shows why there is no deadline: %o', async (part, text) => {
  show(makeDeadlines(part));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByText("For reference only. This isn't legal advice.")).toBeNull();
});

test('shows nothing when nothing is left to do, and a retry after a failure', async () => {
  replies['GET /work/bills/x/deadlines'] = { status: 503, body: {} };
  open();
  const again = await screen.findByRole('button', { name: 'Try again' });
  replies['GET /work/bills/x/deadlines'] = { body: makeDeadlines({ answer: 'nothing' }) };
  await userEvent.click(again);
  await expect.poll(() => screen.queryByRole('heading', { name: 'Deadlines' })).toBeNull();
});
