import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KitProvider } from '@/ui/KitProvider';
import { Layer } from '@/ui/Layer';
import { FailedMails } from './FailedMails';
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

let list: () => Response;
let resend: () => Response;
const calls: string[] = [];

beforeEach(() => {
  calls.length = 0;
  resend = () => new Response(null, { status: 204 });
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    calls.push(`${method} ${new URL(url).pathname}`);
    return method === 'POST' ? resend() : list();
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <KitProvider>
        <FailedMails />
        <Layer />
      </KitProvider>
    </QueryClientProvider>,
  );

const rows = async () => {
  const table = await screen.findByRole('table', { name: 'Emails that could not be sent' });
  return within(table)
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
};

it('lists the mails in words, and sends only what was given up again', async () => {
  list = () =>
    Response.json([
      mail({}),
      mail({ id: 2, kind: 'password-reset', status: 'waiting', attempts: 2, error: 'connection refused' }),
      mail({ id: 3, kind: 'something-new' }),
    ]);
  show();
  expect(await rows()).toEqual([
    [
      'Registration',
      'ada@example.com',
      'Given up',
      '13',
      '03/02/2026',
      '550 no such mailbox',
      'Send again to ada@example.com',
    ],
    ['Password reset', 'ada@example.com', 'Being retried', '2', '03/02/2026', 'connection refused', ''],
    [
      'something-new',
      'ada@example.com',
      'Given up',
      '13',
      '03/02/2026',
      '550 no such mailbox',
      'Send again to ada@example.com',
    ],
  ]);
});

it('says that a mail is being sent again, and takes it off the list', async () => {
  list = () => Response.json([mail({ id: 7 })]);
  show();
  const again = await screen.findByRole('button', { name: /^Send again/ });
  list = () => Response.json([]);
  await userEvent.click(again);
  expect(await screen.findByText('The email is being sent again.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(calls).toEqual(['GET /api/mails/failed', 'POST /api/mails/7/resend', 'GET /api/mails/failed']);
});

it('says when sending again fails, and reads the list anew', async () => {
  list = () => Response.json([mail({})]);
  resend = () => Response.json({ code: 'NOT_FOUND' }, { status: 404 });
  show();
  await userEvent.click(await screen.findByRole('button', { name: /^Send again/ }));
  expect(
    await screen.findByText('Error: An error has occurred. Please try again or contact Customer Service.'),
  ).toBeTruthy();
  expect(calls).toHaveLength(3);
});

it('is not there where every mail got through', async () => {
  list = () => Response.json([]);
  show();
  await waitFor(() => expect(calls).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText(/emails/i)).toBeNull();
});

it('says quietly that it does not know, and tries again', async () => {
  list = () => Response.json({}, { status: 500 });
  show();
  expect((await screen.findByText(/^Whether emails could not be sent/)).getAttribute('role')).toBe('status');
  list = () => Response.json([mail({})]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(1);
});
