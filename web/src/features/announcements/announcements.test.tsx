import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { statusChangedEvent } from '@/shared/statusLine';
import { renderScreens } from '@/shared/testing';
import { lineSchema, noLine, toAnnouncement } from './announcement';
import DeskStatusPage from './DeskStatusPage';
import type { StatusLine } from './queries';

const lineOn = (part: Partial<StatusLine>): StatusLine => ({
  id: 1,
  text: 'Claims are late',
  kind: 'WARNING',
  from: '2026-06-15T12:00:00Z',
  to: '2026-06-15T21:00:00Z',
  createdAt: '2026-06-15T12:00:00Z',
  createdBy: 'isad.demo',
  ...part,
});

let calls: Call[];
let replies: Replies;
const changed = vi.fn();

beforeEach(() => {
  // 10 AM in New York.
  vi.useFakeTimers({ now: new Date('2026-06-15T14:00:00Z'), toFake: ['Date'] });
  window.addEventListener(statusChangedEvent, changed);
  replies = {
    'GET /desk/status': {
      body: [
        lineOn({ id: 3, text: 'Work on Friday', from: '2026-06-19T22:00:00Z', to: '2026-06-20T02:00:00Z' }),
        lineOn({}),
        lineOn({
          id: 2,
          text: 'All is well again',
          kind: 'INFO',
          from: '2026-06-14T12:00:00Z',
          to: '2026-06-14T13:00:00Z',
        }),
      ],
    },
    'POST /desk/status': { body: lineOn({ from: '2026-06-15T14:00:00Z' }) },
    'DELETE /desk/status/1': { status: 204 },
    'DELETE /desk/status/3': { status: 204 },
  } as Replies;
  calls = fakeServer(replies);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  window.removeEventListener(statusChangedEvent, changed);
  changed.mockClear();
});

const open = (permissions = ['status.manage']) =>
  renderScreens({ '/desk/status': DeskStatusPage }, makeSession({ permissions }));

const sent = (call: string) => calls.filter((made) => made.call === call).map(({ body }) => body);
const findRow = async (text: string) => within(await screen.findByRole('row', { name: new RegExp(text) }));

test('past, current and scheduled announcements are shown', async () => {
  open();
  const is = await findRow('Claims are late');
  expect(is.getByText('Shown')).toBeTruthy();
  expect(is.getByText('06/15/2026, 5:00 PM ET')).toBeTruthy();
  expect((await findRow('Work on Friday')).getByText('Scheduled')).toBeTruthy();
  const was = await findRow('All is well again');
  expect(was.getByText('Ended')).toBeTruthy();
  expect(was.queryByRole('button')).toBeNull();
});

test('an announcement is shown immediately, and a later one shows its start', async () => {
  open();
  await userEvent.type(await screen.findByLabelText(/^Text/), ' Claims  are late ');
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Warning');
  await userEvent.type(screen.getByLabelText(/^To\b(?! time)/), '6/15/2026');
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(
    await screen.findByText('Announcement published. Everyone will see it within 2 minutes'),
  ).toBeTruthy();
  expect(sent('POST /desk/status')).toEqual([
    { text: 'Claims are late', kind: 'WARNING', to: '2026-06-15T17:00' },
  ]);
  expect(changed).toHaveBeenCalledTimes(1);
  expect((screen.getByLabelText(/^Text/) as HTMLInputElement).value).toBe('');
});

test('a server error is shown', async () => {
  open();
  const taken = 'Another line is shown then: “Claims are late”. End it, or choose another time.';
  replies['POST /desk/status'] = { status: 409, body: { message: taken } };
  await userEvent.type(await screen.findByLabelText(/^Text/), 'More');
  await userEvent.type(screen.getByLabelText(/^To\b(?! time)/), '6/15/2026');
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(await screen.findByText(`Error: ${taken}`)).toBeTruthy();
  expect(changed).not.toHaveBeenCalled();
});

test('a current announcement is ended, and a scheduled one withdrawn', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'End now Claims are late' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel Work on Friday' }));
  expect(await screen.findAllByText('Announcement ended')).toHaveLength(2);
  expect([sent('DELETE /desk/status/1'), sent('DELETE /desk/status/3')]).toEqual([[null], [null]]);
});

test.each([
  [{}, ['text: Error: Enter a message', 'to: Error: Enter today or a later date']],
  [{ text: 'x'.repeat(201), to: '6/15/2026' }, ['text: Error: Use 200 characters or fewer']],
  [{ text: 'x', to: '6/14/2026' }, ['to: Error: Enter today or a later date']],
  [{ text: 'x', from: 'soon', to: '6/15/2026' }, ['from: Error: Enter today or a later date']],
  [
    { text: 'x', from: '6/15/2026', fromTime: '17:00', to: '6/15/2026' },
    ['to: Error: The end must be after the start'],
  ],
])('rejects: %o', (part, problems) => {
  const { error } = lineSchema.safeParse({ ...noLine, ...part });
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(problems);
});

test('sends times in the business time zone', () => {
  expect(
    toAnnouncement({
      ...noLine,
      text: 'x',
      from: '6/16/2026',
      fromTime: '18:15',
      to: '06-16-2026',
      toTime: '23:45',
    }),
  ).toEqual({
    text: 'x',
    kind: 'INFO',
    from: '2026-06-16T18:15',
    to: '2026-06-16T23:45',
  });
});

test('shows so to users without access', async () => {
  open([]);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
