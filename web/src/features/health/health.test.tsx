import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import DeskHealthPage from './DeskHealthPage';
import DeskRetentionPage from './DeskRetentionPage';

const at = '2026-07-01T15:00:00Z';

const replies: Replies = {
  'GET /desk/health': {
    body: {
      version: '2.3.35',
      engine: 'sqlite',
      asOf: at,
      answeredMs: 1.25,
      bytes: 3_650_722_202,
      systems: [
        { name: 'database', title: 'Database', what: 'SQLite', state: 'WORKS', okAt: at, failure: '' },
        {
          name: 'mail',
          title: 'Mail',
          what: 'The relay of WCPP_SMTP_URL',
          state: 'FAILS',
          failedAt: at,
          failure: 'Connection refused.',
        },
        { name: 'chat', title: 'Chat', what: 'Not set up', state: 'ABSENT', failure: '' },
      ],
      instances: [{ version: '2.3.35', startedAt: at, seenAt: at, here: true }],
      tables: [{ name: 'bills', rows: 1_200_000 }],
      cleanups: [{ what: 'Files of look-ups and exports', after: '7 days' }],
    },
  },
};

function open(permissions: string[], path = '/') {
  const calls = fakeServer(replies);
  const screens = { '/': DeskHealthPage, '/desk/retention': DeskRetentionPage };
  renderScreens(screens, makeSession({ permissions }), { at: path });
  return calls;
}

test("shows each system's status", async () => {
  const calls = open(['health.read']);
  const systems = within(await screen.findByRole('table', { name: 'Systems' }));
  const row = (name: string) =>
    systems.getAllByRole('row').find(({ textContent }) => textContent?.startsWith(name))?.textContent;
  expect(row('Database')).toContain('Up');
  // What is wrong comes first, with what to do.
  expect(row('Mail')).toBeUndefined();
  expect(screen.getByText('Mail is down')).toBeTruthy();
  expect(screen.getByText(/^Connection refused\. Last failure: .*\. No success yet\.$/)).toBeTruthy();
  expect(screen.getByText(/^Check the mail server/)).toBeTruthy();
  expect(row('Chat')).toContain('Not set up');
  expect(screen.getByText(/SQLite, 3\.4 GB\. Database write time: 1\.3 ms/)).toBeTruthy();
  expect(screen.getByRole('row', { name: /bills/, hidden: true }).textContent).toContain('1,200,000');
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(calls).toHaveLength(2);
});

test('says so when nothing is wrong', async () => {
  const before = replies['GET /desk/health'] as { body: { systems: { state: string }[] } };
  replies['GET /desk/health'] = {
    body: { ...before.body, systems: before.body.systems.filter(({ state }) => state !== 'FAILS') },
  } as Replies['GET /desk/health'];
  open(['health.read']);
  await screen.findByText('All systems that we checked are up');
  expect(screen.queryByText(/is down$/)).toBeNull();
});

test('shows how long data is kept on its own page', async () => {
  open(['health.read']);
  await userEvent.click(await screen.findByRole('link', { name: 'Data retention' }));
  expect(await screen.findByRole('heading', { name: 'Data retention', level: 1 })).toBeTruthy();
  expect((await screen.findByRole('row', { name: /^Files of look-ups/ })).textContent).toContain('7 days');
});

test.each(['/', '/desk/retention'])('other users have no access to %s', async (path) => {
  const calls = open(['desk.open'], path);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(calls).toEqual([]);
});
