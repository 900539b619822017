import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { type Call, fakeServer, type Replies } from '@/api/testing';
import { advanceTime, fakeTime } from '@/shared/testing';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { FailedEmails } from './FailedEmails';
import type { FailedMail } from './queries';

const mail = (part: Partial<FailedMail>): FailedMail => ({
  id: 1,
  kind: 'registration',
  to: 'ada@example.com',
  status: 'failed',
  attempts: 13,
  error: '550 no such mailbox',
  createdAt: '2026-03-02T15:00:00Z',
  ...part,
});

const listing = 'GET /mails/failed';
let replies: Replies;
let calls: Call[];
/** Sets the server's list. */
const list = (...body: FailedMail[]) => {
  replies[listing] = { body };
};

beforeEach(() => {
  replies = { 'POST /mails/7/resend': { status: 204 } };
  calls = fakeServer(replies);
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <KitProvider>
        <FailedEmails />
        <Layer />
      </KitProvider>
    </QueryClientProvider>,
  );

const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Failed emails' });
  return within(table)
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
};

it('lists the emails with labels, and resends only failed ones', async () => {
  list(
    mail({}),
    mail({ id: 2, kind: 'password-reset', status: 'waiting', attempts: 2, error: 'connection refused' }),
    mail({ id: 3, kind: 'something-new' }),
  );
  show();
  expect(await rows()).toEqual([
    [
      'Registration',
      'ada@example.com',
      'Failed',
      '13',
      '03/02/2026',
      '550 no such mailbox',
      'Resend to ada@example.com',
    ],
    ['Password reset', 'ada@example.com', 'Retrying', '2', '03/02/2026', 'connection refused', ''],
    [
      'something-new',
      'ada@example.com',
      'Failed',
      '13',
      '03/02/2026',
      '550 no such mailbox',
      'Resend to ada@example.com',
    ],
  ]);
});

it('shows that an email is being resent, and removes it from the list', async () => {
  list(mail({ id: 7 }));
  show();
  const again = await screen.findByRole('button', { name: /^Resend/ });
  list();
  await userEvent.click(again);
  expect(await screen.findByText('Resending email')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(calls.map(({ call }) => call)).toEqual([listing, 'POST /mails/7/resend', listing]);
});

it('shows when resending fails, and refetches the list', async () => {
  list(mail({ id: 7 }));
  replies['POST /mails/7/resend'] = { status: 404, body: { code: 'NOT_FOUND' } };
  show();
  await userEvent.click(await screen.findByRole('button', { name: /^Resend/ }));
  expect(
    await screen.findByText('Error: An error has occurred. Please try again or contact Customer Service.'),
  ).toBeTruthy();
  expect(calls).toHaveLength(3);
});

it('is hidden when every email was delivered', async () => {
  fakeTime();
  list();
  show();
  await waitFor(() => expect(calls).toHaveLength(1));
  await advanceTime(1_000);
  expect(screen.queryByText(/emails/i)).toBeNull();
});

it("shows quietly when it couldn't load, and retries", async () => {
  replies[listing] = { status: 500 };
  show();
  expect((await screen.findByText(/^Couldn't check for failed emails/)).getAttribute('role')).toBe('status');
  list(mail({}));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(1);
});
