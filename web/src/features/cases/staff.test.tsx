import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { bearer } from '@/api/client';
import { type Call, configure, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import type { CaseThread } from './cases';
import DeskQuestionPage from './DeskQuestionPage';
import StaffRolesPage from './StaffRolesPage';
import type { StaffMember } from './staff';

const number = 'C-4K7Q-29MX';

const thread: CaseThread = {
  number,
  kind: 'QUESTION',
  topic: 'PRICE',
  state: 'OPEN',
  ftin: '111111111',
  openedAt: '2026-11-23T15:42:00Z',
  dueAt: '2026-11-27T15:42:00Z',
  legalDue: null,
  answeredAt: null,
  closedAt: null,
  helpful: '',
  unread: false,
  bills: [],
  files: [],
  contacts: 1,
  mergedInto: '',
  remittance: { id: '', number: '' },
  version: 1,
  answerId: 0,
  openedBy: 'Ada King',
  owner: '',
  office: '',
  mine: false,
  entries: [
    { id: 1, at: '2026-11-23T15:42:00Z', author: 'Ada King', side: 'OFFICE', kind: 'MESSAGE', body: 'Why?' },
  ],
};

const staff: StaffMember[] = [
  { userName: 'kreyes', name: 'Kim Reyes', typeCd: 'IRAD', role: '', answers: false },
  { userName: 'lmoore', name: 'Lee Moore', typeCd: 'IRAD', role: 'LEAD', answers: true },
  { userName: 'sdiaz', name: 'Sam Diaz', typeCd: 'ISAD', role: '', answers: true },
];

let replies: Replies;
let calls: Call[];

beforeEach(async () => {
  bearer.token = 'token-1';
  await configure({});
  replies = {
    'GET /desk/staff': { body: staff },
    'GET /desk/replies': { body: [] },
    [`GET /desk/cases/${number}`]: { body: thread },
    [`POST /desk/cases/${number}/writing`]: { body: { names: [], version: 1 } },
  };
});

function show(path: string, component: () => ReactNode, permissions: string[]) {
  calls = fakeServer(replies);
  const others = ['/desk/staff', '/desk/cases/$number', '/desk/cases'];
  renderScreens(
    { ...Object.fromEntries(others.map((own) => [own, () => `At ${own}`])), [path]: component },
    makeSession({ permissions }),
    { at: path.replace('$number', number) },
  );
}

const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);

test('lists staff with their roles, and changes one', async () => {
  replies['PUT /desk/staff/kreyes'] = { status: 204 };
  show('/desk/staff', StaffRolesPage, ['staff.roles']);
  expect(within(await screen.findByRole('row', { name: /Sam Diaz/ })).queryByRole('button')).toBeNull();
  expect(
    within(screen.getByRole('row', { name: /Lee Moore/ })).getByText('Answers and supervises questions'),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Change role of Kim Reyes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Role of Kim Reyes' }));
  const save = dialog.getByRole('button', { name: 'Save role' });
  expect(save.hasAttribute('disabled')).toBe(true);
  await userEvent.selectOptions(dialog.getByLabelText('Role'), 'Answers questions');
  await userEvent.dblClick(save);
  expect(await screen.findByText('Role saved')).toBeTruthy();
  expect(sent('PUT /desk/staff/kreyes')).toEqual([{ role: 'CASES', seen: '' }]);
  await waitFor(() => expect(sent('GET /desk/staff')).toHaveLength(2));
});

test('shows the role that someone else set meanwhile', async () => {
  replies['PUT /desk/staff/kreyes'] = { status: 409, body: { message: 'Someone else changed this role.' } };
  show('/desk/staff', StaffRolesPage, ['staff.roles']);
  await userEvent.click(await screen.findByRole('button', { name: 'Change role of Kim Reyes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Role of Kim Reyes' }));
  await userEvent.selectOptions(dialog.getByLabelText('Role'), 'Answers questions');
  replies['GET /desk/staff'] = { body: staff.map((member) => ({ ...member, role: 'LEAD' })) };
  await userEvent.click(dialog.getByRole('button', { name: 'Save role' }));
  expect(await screen.findByText('Error: Someone else changed this role.')).toBeTruthy();
  await waitFor(() => expect(sent('GET /desk/staff')).toHaveLength(2));
  replies['PUT /desk/staff/kreyes'] = { status: 204 };
  await userEvent.click(dialog.getByRole('button', { name: 'Save role' }));
  await waitFor(() =>
    expect(sent('PUT /desk/staff/kreyes')).toEqual([
      { role: 'CASES', seen: '' },
      { role: 'CASES', seen: 'LEAD' },
    ]),
  );
});

test('shows staff roles to nobody else', async () => {
  show('/desk/staff', StaffRolesPage, ['cases.lead']);
  expect(await screen.findByRole('heading', { name: 'Staff roles' })).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('assigns a question to someone who can answer', async () => {
  replies[`POST /desk/cases/${number}/assign`] = { body: { ...thread, owner: 'Lee Moore', version: 2 } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work', 'cases.lead']);
  await userEvent.click(await screen.findByRole('button', { name: 'Assign to…' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Assign question ${number}` }));
  const people = await dialog.findByLabelText(/^Staff member/);
  expect(within(people).queryByText(/Kim Reyes/)).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await dialog.findByText('Error: Select a staff member')).toBeTruthy();
  await userEvent.selectOptions(people, 'Lee Moore (lmoore)');
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await screen.findByText('Assigned to Lee Moore')).toBeTruthy();
  expect(sent(`POST /desk/cases/${number}/assign`)).toEqual([{ version: 1, userName: 'lmoore' }]);
});

test('others than leads assign only their own questions', async () => {
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  expect(await screen.findByRole('button', { name: 'Take' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Assign to…' })).toBeNull();
  cleanup();
  replies[`GET /desk/cases/${number}`] = { body: { ...thread, owner: 'Kim Reyes', mine: true } };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  expect(await screen.findByRole('button', { name: 'Assign to…' })).toBeTruthy();
});

test('preserves an answer of someone who lost the role', async () => {
  replies[`POST /desk/cases/${number}/answer`] = {
    status: 403,
    body: { code: 'FORBIDDEN', message: "You don't have permission to do this." },
  };
  show('/desk/cases/$number', DeskQuestionPage, ['cases.desk', 'cases.work']);
  const answer = await screen.findByLabelText('Answer');
  await userEvent.type(answer, 'By contract.');
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await screen.findByText(/You don't have permission to do this/)).toBeTruthy();
  await waitFor(() => expect(sent(`GET /desk/cases/${number}`)).toHaveLength(2));
  expect((screen.getByLabelText('Answer') as HTMLTextAreaElement).value).toBe('By contract.');
});
