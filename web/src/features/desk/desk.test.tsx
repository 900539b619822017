import { type HistoryState, Outlet } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { bearer } from '@/api/client';
import { type Call, configure, fakeServer, makeSession, neverReplies, type Replies } from '@/api/testing';
import { useOtherTabChanges } from '@/shared/changes';
import { openInSupport } from '@/shared/openInSupport';
import { getOwner } from '@/shared/owner';
import { renderScreens } from '@/shared/testing';
import DeskPage from './DeskPage';

let replies: Replies;
let calls: Call[];

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = { 'GET /desk/queues': { body: [] } };
  calls = fakeServer(replies);
});

const sitting = { reason: 'CALL' as const, reference: '', text: '', since: '2026-06-03T13:12:00Z' };
const none = { offices: [], people: [], bills: [], remittances: [], claims: [], more: false, hint: '' };

function Shell() {
  useOtherTabChanges();
  return <Outlet />;
}

function show(permissions = ['desk.open'], state: HistoryState = {}) {
  const screens = {
    '/desk': DeskPage,
    '/desk/bill/$id': () => <h1>A bill</h1>,
    '/desk/remittance/$id': () => <h1>A remittance</h1>,
    '/desk/cases/$number': () => <h1>A question</h1>,
    '/UserSearch': () => <h1>User Search</h1>,
  };
  return renderScreens(screens, makeSession({ permissions }), { state, frame: Shell }).router;
}

test("users enter a reason first, and see what's wrong with it", async () => {
  replies['GET /desk/sitting'] = { body: {} };
  replies['POST /desk/sitting'] = {
    status: 400,
    body: {
      message: 'An error has occurred.',
      code: 'INVALID',
      fields: [{ path: 'text', code: 'INVALID', message: 'Leave numbers out of the reason' }],
    },
  };
  show();
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /Reason/ }), 'Other');
  await userEvent.type(screen.getByLabelText(/Details/), '123456789');
  await userEvent.click(screen.getByRole('button', { name: 'Start session' }));
  await screen.findByText('Error: Leave numbers out of the reason');
  expect(screen.queryByRole('button', { name: 'Find' })).toBeNull();
  replies['POST /desk/sitting'] = { body: { sitting } };
  await userEvent.click(screen.getByRole('button', { name: 'Start session' }));
  await screen.findByText(/^Reason: call, since/);
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  screen.getByRole('heading', { name: 'Reason for access' });
});

test("another tab's reason replaces the one on the screen", async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const otherTab = new BroadcastChannel('wcpp');
  const heard = vi.fn();
  otherTab.onmessage = ({ data }) => heard(data);
  show();
  await screen.findByText(/^Reason: call, since/);
  await userEvent.type(screen.getByRole('textbox'), '444444444');
  const theirs = { ...sitting, reason: 'FEED' as const, since: '2026-06-03T13:20:00Z' };
  replies['GET /desk/sitting'] = { body: { sitting: theirs } };
  otherTab.postMessage({ type: 'changed', subjects: ['support-session'] });
  await screen.findByText(/^Reason: import check, since/);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('444444444');

  replies['POST /desk/sitting'] = { body: { sitting } };
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  await userEvent.click(screen.getByRole('button', { name: 'Start session' }));
  await waitFor(() => expect(heard).toHaveBeenCalledWith({ type: 'changed', subjects: ['support-session'] }));
  otherTab.close();
});

test('after the support session ended, the next request asks for a reason', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  show();
  await userEvent.type(await screen.findByRole('textbox'), '444444444');
  const message = 'Start a support session first.';
  replies['GET /desk/sitting'] = { body: {} };
  replies['POST /desk/find'] = {
    status: 400,
    body: { message, code: 'INVALID', fields: [{ path: 'reason', code: 'INVALID', message }] },
  };
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  await screen.findByRole('heading', { name: 'Reason for access' });
  expect(screen.queryByText(/^Reason: call/)).toBeNull();

  // The search continues with the new session.
  replies['POST /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = { body: { ...none, hint: 'Nothing has this number.' } };
  await userEvent.click(screen.getByRole('button', { name: 'Start session' }));
  await screen.findByText('Nothing has this number.');
});

test('the text from the Workspace dialog is searched immediately, and again after Back', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = { body: { ...none, hint: 'Nothing has this number.' } };
  const router = show(['desk.open'], openInSupport(getOwner(makeSession()), '7000001052'));
  await screen.findByText('Nothing has this number.');
  expect(screen.getByLabelText<HTMLInputElement>(/Any number/).value).toBe('7000001052');
  const asked = () => calls.filter(({ call }) => call === 'POST /desk/find').map(({ body }) => body);
  expect(asked()).toEqual([{ q: '7000001052' }]);
  await userEvent.type(screen.getByLabelText(/Any number/), '3{Enter}');
  await waitFor(() => expect(asked()).toHaveLength(2));
  await router.navigate({ to: '/UserSearch' });
  await screen.findByRole('heading', { name: 'User Search' });
  router.history.back();
  await waitFor(() => expect(asked().slice(1)).toEqual([{ q: '70000010523' }, { q: '70000010523' }]));
});

test('another number is searched before the first is found, the same only once', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = neverReplies;
  show(['desk.open'], openInSupport(getOwner(makeSession()), '70'));
  const asked = () => calls.filter(({ call }) => call === 'POST /desk/find').map(({ body }) => body);
  await waitFor(() => expect(asked()).toEqual([{ q: '70' }]));
  await userEvent.type(screen.getByLabelText(/Any number/), '{Enter}1{Enter}{Enter}');
  await waitFor(() => expect(asked()).toEqual([{ q: '70' }, { q: '701' }]));
});

test('a number is found, and its result opens at the desk', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = {
    body: {
      ...none,
      bills: [
        {
          id: 'sealed',
          ftin: '111111111',
          number: 'B1',
          claimant: 'Ann Doe',
          serviceOn: '2026-01-05',
          charges: 1,
          payer: 'P',
        },
      ],
      remittances: [
        { id: 'sealed-2', ftin: '111111111', number: 'K1', payer: 'P', paidOn: '2026-01-05', amount: 5 },
      ],
      more: true,
    },
  };
  show();
  await userEvent.type(await screen.findByRole('textbox'), 'b1{Enter}');
  expect((await screen.findByRole('link', { name: 'B1' })).getAttribute('href')).toBe('/desk/bill/sealed');
  expect(screen.getByRole('link', { name: 'K1' }).getAttribute('href')).toBe('/desk/remittance/sealed-2');
  screen.getByText('Showing the first 20. Narrow your search.');
});

test('the number of a question opens it', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const router = show(['desk.open', 'cases.desk']);
  await userEvent.type(await screen.findByRole('textbox'), 'c d9z5 bsq7{Enter}');
  await screen.findByRole('heading', { name: 'A question' });
  expect(router.history.location.pathname).toBe('/desk/cases/C-D9Z5-BSQ7');
});

test('a number without the C of questions is searched first', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const claims = [{ number: 'D9Z5-BSQ7', payer: 'P', state: 'CA' }];
  replies['POST /desk/find'] = { body: { ...none, claims } };
  const router = show(['desk.open', 'cases.desk']);
  await userEvent.type(await screen.findByRole('textbox'), 'd9z5 bsq7{Enter}');
  await screen.findByText('D9Z5-BSQ7');
  const question = screen.getByRole('link', { name: 'C-D9Z5-BSQ7' });
  expect(question.getAttribute('href')).toBe('/desk/cases/C-D9Z5-BSQ7');
  replies['POST /desk/find'] = { body: none };
  await userEvent.type(screen.getByRole('textbox'), '{Enter}');
  await screen.findByRole('heading', { name: 'A question' });
  expect(router.history.location.pathname).toBe('/desk/cases/C-D9Z5-BSQ7');
});

test('a claim shows how to find its bills', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = { body: { ...none, claims: [{ number: 'WC-7', payer: 'P', state: 'CA' }] } };
  show();
  await userEvent.type(await screen.findByRole('textbox'), 'wc7{Enter}');
  await screen.findByText("To find a claim's bills, enter the Tax ID before it: 123456789 WC-7.");
});

test('an empty result shows what else to try, and an error appears at the field', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['POST /desk/find'] = {
    body: { ...none, hint: 'No office has this Tax ID, but bills exist for it.' },
  };
  show();
  await userEvent.type(await screen.findByRole('textbox'), '444444444{Enter}');
  await screen.findByText('No office has this Tax ID, but bills exist for it.');
  // Callers often give a name, but this search only finds full names.
  expect(screen.getByRole('link', { name: 'Claim Search' }).getAttribute('href')).toBe('/ClaimSearch');
  expect(screen.getByRole('link', { name: 'User Search' }).getAttribute('href')).toBe('/UserSearch');
  expect(screen.getByRole('link', { name: 'Groups' }).getAttribute('href')).toBe('/desk/groups');
  replies['POST /desk/find'] = {
    status: 400,
    body: { message: 'Start a support session first.', code: 'INVALID', fields: [] },
  };
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  await screen.findByText('Error: Start a support session first.');
});

test("a user's card shows why they can't sign in, with the possible actions", async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const person = { userName: 'ann', name: 'Ann Doe', type: 'Provider User', status: 'Locked', groupId: 7 };
  replies['POST /desk/find'] = { body: { ...none, people: [person] } };
  const sentence = 'Locked by 5 wrong passwords until 11/23/2026 10:42; the last came from 203.0.113.7.';
  replies['POST /desk/users/open'] = {
    body: { ...person, id: 9, mirrorable: true, email: 'a@example.com', sentence, action: 'reset' },
  };
  show();
  await userEvent.type(await screen.findByRole('textbox'), 'ann{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'ann' }));
  await screen.findByText(sentence);
  // The card can be far below the clicked button.
  expect(document.activeElement?.textContent).toBe('Ann Doe (ann)');
  expect(screen.queryByRole('button', { name: /Reset Password|Act as/ })).toBeNull();

  // Another reason can be canceled. With a new session, the card must be opened again.
  const countOpened = () => calls.filter(({ call }) => call === 'POST /desk/users/open').length;
  const opened = countOpened();
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(screen.queryByText(sentence)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText(sentence);
  screen.getByText(/^Reason: call, since/);
  replies['POST /desk/sitting'] = { body: { sitting: { ...sitting, since: '2026-06-03T13:15:00Z' } } };
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  await userEvent.click(screen.getByRole('button', { name: 'Start session' }));
  await screen.findByText(/^Reason: call, since/);
  expect(screen.queryByText(sentence)).toBeNull();
  expect(countOpened()).toBe(opened);
});

test("the card's action runs, and the card refetches", async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const person = { userName: 'ann', name: 'Ann Doe', type: 'Provider User', status: 'Locked', groupId: 7 };
  replies['POST /desk/find'] = { body: { ...none, people: [person] } };
  replies['POST /desk/visits/standing'] = { body: { asksFirst: false, allowed: false } };
  const card = { ...person, id: 9, mirrorable: true, email: 'a@example.com' };
  replies['POST /desk/users/open'] = { body: { ...card, sentence: 'Locked.', action: 'reset' } };
  replies['POST /users/resetPasswordByAdmin/start'] = {
    status: 409,
    body: { message: 'Not now.', code: 'C' },
  };
  show(['desk.open', 'users.manage', 'session.mirror']);
  await userEvent.type(await screen.findByRole('textbox'), 'ann{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'ann' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reset Password' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Reset Password' }));
  await dialog.findByText('Not now.');
  replies['POST /users/resetPasswordByAdmin/start'] = { status: 200 };
  replies['POST /desk/users/open'] = { body: { ...card, sentence: 'The link is good.', action: '' } };
  await userEvent.click(dialog.getByRole('button', { name: 'Reset Password' }));
  await screen.findByText('The link is good.');
  expect(
    calls.filter(({ call }) => call.startsWith('POST /users/reset')).map(({ body }) => body),
  ).toContainEqual({
    userName: 'ann',
    emailAddress: 'a@example.com',
    adminUserName: makeSession().user.userNm,
  });

  replies['POST /desk/users/mirror'] = {
    status: 400,
    body: { message: 'Start a support session first.', code: 'INVALID' },
  };
  await userEvent.click(screen.getByRole('button', { name: 'Act as ann' }));
  await screen.findByText('Start a support session first.');
});

test('an office that requires approval gets a request, or is overridden', async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const person = { userName: 'ann', name: 'Ann Doe', type: 'Provider User', status: 'Active', groupId: 7 };
  replies['POST /desk/find'] = { body: { ...none, people: [person] } };
  replies['POST /desk/users/open'] = {
    body: {
      ...person,
      id: 9,
      mirrorable: true,
      email: 'a@example.com',
      sentence: 'Can sign in.',
      action: '',
    },
  };
  replies['POST /desk/visits/standing'] = { body: { asksFirst: true, allowed: false } };
  replies['POST /desk/visits/ask'] = {
    status: 409,
    body: { message: 'Nobody could answer.', code: 'ASK_FIRST' },
  };
  replies['POST /desk/visits/override'] = {
    status: 400,
    body: {
      message: 'Check it.',
      code: 'INVALID',
      fields: [{ path: 'reason', code: 'INVALID', message: 'Leave numbers out of it' }],
    },
  };
  show(['desk.open', 'session.mirror', 'visits.override']);
  await userEvent.type(await screen.findByRole('textbox'), 'ann{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'ann' }));
  await screen.findByText('This office requires approval.');
  expect(screen.queryByRole('button', { name: 'Act as ann' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Request access' }));
  await screen.findByText('Nobody could answer.');
  await userEvent.click(screen.getByRole('button', { name: 'Override and access now' }));
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Override' }));
  await dialog.findByText('Error: Enter a reason for the emergency');
  await userEvent.type(dialog.getByRole('textbox'), 'claim 123456789');
  await userEvent.click(dialog.getByRole('button', { name: 'Override' }));
  await dialog.findByText('Error: Leave numbers out of it');
  replies['POST /desk/visits/override'] = { status: 204 };
  replies['POST /desk/visits/standing'] = { body: { asksFirst: true, allowed: true } };
  await userEvent.click(dialog.getByRole('button', { name: 'Override' }));
  await screen.findByRole('button', { name: 'Act as ann' });
});

test("system administrators download a quarter's openings", async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  replies['GET /desk/openings'] = { status: 503, body: { message: 'Later.', code: 'X' } };
  show(['desk.open', 'desk.report']);
  const quarter = await screen.findByLabelText(/^See who opened what/);
  expect(quarter.querySelectorAll('option')).toHaveLength(8);
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }));
  await screen.findByText('Later.');
});

test("an office's card shows its data, and opens its users", async () => {
  replies['GET /desk/sitting'] = { body: { sitting } };
  const office = { id: 7, name: 'Lakeside', kind: 'PROVIDER' as const };
  const person = { userName: 'ann', name: 'Ann Doe', type: 'Provider User', status: 'Active', groupId: 7 };
  const at = '2026-06-03T13:12:00Z';
  replies['POST /desk/find'] = { body: { ...none, offices: [office] } };
  replies['POST /desk/groups/open'] = {
    body: {
      ...office,
      tins: ['111111111'],
      tinCount: 60,
      people: [person],
      morePeople: true,
      open: [{ name: 'received', bills: 3, charges: 12.5 }],
      changes: [{ id: 'sealed', ftin: '111111111', number: 'B1', change: 'PAID', at }],
      mails: [],
      requests: [],
      rosters: [],
      notices: [{ name: 'Closed', sent: 3, viewed: 1, at }],
      asOf: at,
    },
  };
  replies['POST /desk/users/open'] = {
    body: {
      ...person,
      id: 9,
      mirrorable: false,
      email: 'a@example.com',
      sentence: 'Nothing keeps this person out.',
      action: '',
    },
  };
  show();
  await userEvent.type(await screen.findByRole('textbox'), '7{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Lakeside' }));
  await screen.findByText('60 Tax IDs: 111111111 and 59 more');
  screen.getByText(/To see all users/);
  screen.getByText('Not repriced');
  screen.getByText('1 of 3 people');
  screen.getByText('No failed emails.');
  expect(screen.getByRole('link', { name: 'B1' }).getAttribute('href')).toBe('/desk/bill/sealed');
  await userEvent.click(screen.getByRole('button', { name: 'ann' }));
  await screen.findByText('Nothing keeps this person out.');
  screen.getByRole('heading', { name: 'Lakeside' });
});

test('other users have no access', async () => {
  show([]);
  await screen.findByText(/Ask your administrator for access/);
});
