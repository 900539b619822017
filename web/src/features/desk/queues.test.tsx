import { useLocation } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { type Call, configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { Layer } from '@/ui/Layer';
import DeskDraftsPage from './DeskDraftsPage';
import DeskFailedEmailsPage from './DeskFailedEmailsPage';
import DeskJobsPage from './DeskJobsPage';
import DeskRequestsPage from './DeskRequestsPage';
import { Queues } from './Queues';

let replies: Replies;
let calls: Call[];

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {};
  calls = fakeServer(replies);
});

const made = (call: string) => calls.filter((made) => made.call === call);

function show(Page: () => ReactNode, permissions = ['queues.manage']) {
  const Handed = () => <pre>{JSON.stringify(useLocation().state)}</pre>;
  const Shown = () => (
    <>
      <Page />
      <Layer />
    </>
  );
  const screens = { '/desk/list': Shown, '/AddUser': Handed, '/desk': Handed };
  renderScreens(screens, makeSession({ permissions }));
}

test('queues are listed with their oldest item; unknown kinds are skipped', async () => {
  const since = new Date(Date.now() - 3.5 * 86_400_000).toISOString();
  replies['GET /desk/queues'] = {
    body: [
      { kind: 'requests', count: 2, more: false, since },
      { kind: 'mails', count: 1000, more: true, since: new Date().toISOString() },
      { kind: 'jobs', count: 0, more: false },
      { kind: 'unknown', count: 5, more: false, since },
    ],
  };
  show(Queues);
  const table = within(await screen.findByRole('table', { name: 'Work queue' }));
  expect(
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
  ).toEqual([
    ['Account requests', '2', '3 days'],
    ['Failed emails', '1,000+', 'less than a day'],
    ['Failed jobs', 'None', ''],
  ]);
  expect(table.getByRole('link', { name: 'Account requests' }).getAttribute('href')).toBe('/desk/requests');
});

test('users without queues see none', async () => {
  replies['GET /desk/queues'] = { body: [] };
  show(Queues);
  await waitFor(() => expect(made('GET /desk/queues')).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText('Work queue')).toBeNull());
});

const request = {
  id: 7,
  status: 'SUBMITTED' as const,
  campaign: '',
  emailAddress: 'zoe@example.com',
  submittedDt: '2026-06-03T13:12:00Z',
  affiliation: 'OFC_STAFF',
  otherAffiliation: '',
  firstName: 'Zoe',
  lastName: 'Dean',
  middleInitial: '',
  phoneNumber: '2165550148',
  jobTitle: 'Biller',
  companyName: 'Lakeside',
  companyUrl: '',
  providerList: [{ ftin: '111111111', providerName: 'Lakeside' }],
};

test('a request is approved in a prefilled Add User', async () => {
  replies['POST /desk/queues/requests'] = { body: { rows: [request], count: 1 } };
  show(DeskRequestsPage);
  const back = await screen.findByRole('link', { name: 'Queues' });
  expect(back.getAttribute('href')).toBe('/desk/queues');
  await userEvent.click(await screen.findByRole('button', { name: 'Approve Zoe Dean' }));
  await screen.findByText(/"accountRequest":7/);
});

test('when two decline a request, the second sees so, and the list refetches', async () => {
  replies['POST /desk/queues/requests'] = { body: { rows: [request], count: 1 } };
  replies['POST /accountRequests/7/decline'] = {
    status: 409,
    body: { message: 'This account request has already been answered.', code: 'CONFLICT' },
  };
  show(DeskRequestsPage);
  await userEvent.click(await screen.findByRole('button', { name: 'Decline Zoe Dean' }));
  const dialog = within(await screen.findByRole('dialog'));
  replies['POST /desk/queues/requests'] = { body: { rows: [], count: 0 } };
  await userEvent.click(dialog.getByRole('button', { name: 'Decline' }));
  await dialog.findByText('This account request has already been answered.');
  await screen.findByText('No pending account requests.');
});

test('a request is declined once, even on a double click before a render', async () => {
  replies['POST /desk/queues/requests'] = { body: { rows: [request], count: 1 } };
  replies['POST /accountRequests/7/decline'] = { status: 204 };
  const calls = fakeServer(replies);
  show(DeskRequestsPage);
  await userEvent.click(await screen.findByRole('button', { name: 'Decline Zoe Dean' }));
  const decline = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Decline' });
  act(() => {
    decline.click();
    decline.click();
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ call }) => call === 'POST /accountRequests/7/decline')).toHaveLength(1);
  await screen.findByText('Account request of Zoe Dean declined');
});

test('a failed email is resent, or removed from the list', async () => {
  const mail = {
    id: 9,
    kind: 'registration',
    to: 'ada@example.com',
    status: 'failed' as const,
    attempts: 13,
    error: 'mailbox full',
    createdAt: '2026-03-02T15:00:00Z',
  };
  replies['POST /desk/queues/mails'] = { body: { rows: [mail], count: 1 } };
  replies['POST /mails/9/resend'] = {
    status: 404,
    body: { message: 'Gone.', code: 'NOT_FOUND' },
  };
  replies['POST /desk/queues/mails/9/end'] = { status: 204 };
  show(DeskFailedEmailsPage);
  await screen.findByText('mailbox full');
  await userEvent.click(screen.getByRole('button', { name: 'Resend to ada@example.com' }));
  await screen.findByText('Error: Gone.');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss the email to ada@example.com' }));
  replies['POST /desk/queues/mails'] = { body: { rows: [], count: 0 } };
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Email dismissed');
  await screen.findByText('No failed emails.');
});

test('failed jobs are shown with labels, rerun and deleted', async () => {
  const job = {
    id: 3,
    kind: 'mail',
    tries: 13,
    most: 13,
    givenUp: true,
    since: '2026-03-02T15:00:00Z',
    why: 'The job took too long.',
  };
  replies['GET /desk/queues/jobs'] = { body: { jobs: [job], more: true } };
  replies['POST /desk/queues/jobs/3/retry'] = { status: 204 };
  replies['POST /desk/queues/jobs/3/discard'] = {
    status: 409,
    body: { message: 'Not any more.', code: 'CONFLICT' },
  };
  show(DeskJobsPage);
  await screen.findByText('The job took too long.');
  screen.getByText('Failed');
  screen.getByRole('button', { name: 'Show more' });
  await userEvent.click(screen.getByRole('button', { name: 'Retry : Send an email' }));
  await screen.findByText('Job restarted');
  await userEvent.click(screen.getByRole('button', { name: 'Delete : Send an email' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('Error: Not any more.');
});

test('the focus moves to the first of more failed jobs', async () => {
  const job = { kind: 'mail', tries: 13, most: 13, givenUp: true, since: '2026-03-02T15:00:00Z' };
  replies['GET /desk/queues/jobs'] = { body: { jobs: [{ ...job, id: 3, why: 'One.' }], more: true } };
  show(DeskJobsPage);
  const more = await screen.findByRole('button', { name: 'Show more' });
  replies['GET /desk/queues/jobs'] = { body: { jobs: [{ ...job, id: 4, why: 'Two.' }], more: false } };
  await userEvent.click(more);
  const row = (await screen.findByText('Two.')).closest('tr');
  expect(more.isConnected).toBe(false);
  expect(document.activeElement).toBe(row);
});

test('each of two actions at the same time shows its result, and leaves other confirmations open', async () => {
  const job = { kind: 'mail', tries: 13, most: 13, givenUp: true, since: '2026-03-02T15:00:00Z' };
  const jobs = [
    { ...job, id: 3, why: 'One.' },
    { ...job, id: 4, why: 'Two.' },
  ];
  replies['GET /desk/queues/jobs'] = { body: { jobs, more: false } };
  let [failFirst, endSecond] = [() => {}, () => {}];
  replies['POST /desk/queues/jobs/3/retry'] = () =>
    new Promise((resolve) => {
      failFirst = () => resolve({ status: 409, body: { message: 'Not any more.', code: 'CONFLICT' } });
    });
  replies['POST /desk/queues/jobs/4/retry'] = () =>
    new Promise((resolve) => {
      endSecond = () => resolve({ status: 204 });
    });
  show(DeskJobsPage);
  const [one, two] = await screen.findAllByRole('button', { name: 'Retry : Send an email' });
  await userEvent.click(one as HTMLElement);
  await userEvent.click(two as HTMLElement);
  const [remove] = screen.getAllByRole('button', { name: 'Delete : Send an email' });
  await userEvent.click(remove as HTMLElement);
  endSecond();
  await screen.findByText('Job restarted');
  failFirst();
  await screen.findByText('Error: Not any more.');
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('other users have no access', async () => {
  show(DeskDraftsPage, []);
  await screen.findByText(/Ask your administrator for access/);
});
