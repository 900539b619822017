import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { api, unwrap } from '@/api/client';
import { getSession, onSessionChange, type SessionChange, signIn } from '@/api/session';
import { fakeServer, makeSession, makeUser, type Replies } from '@/api/testing';
import MirrorEnded from './MirrorEnded';

const changes: SessionChange['type'][] = [];

beforeEach(() => {
  changes.length = 0;
});

test('several failing requests reload the session once, and the user it ended for is shown', async () => {
  const replies: Replies = {
    'POST /authenticate': { body: { username: 'isad.demo', token: 'token-1' } },
    'GET /session': { body: makeSession({ mirroredUser: makeUser() }) },
    'PUT /users/getUserTypes': { status: 409, body: { code: 'MIRROR_ENDED', message: 'MIRROR_ENDED' } },
  };
  const calls = fakeServer(replies);
  await signIn({ username: 'isad.demo', password: 'x' });
  const leave = onSessionChange(({ type }) => changes.push(type));
  replies['GET /session'] = { body: makeSession({ mirrorEnded: 'Paula Reyes' }) };
  const refused = () => unwrap(api.PUT('/users/getUserTypes')).catch(({ code }) => code);
  expect(await Promise.all([refused(), refused()])).toEqual(['MIRROR_ENDED', 'MIRROR_ENDED']);
  await vi.waitFor(() => expect(changes).toEqual(['changed']));
  expect(getSession()?.mirrorEnded).toBe('Paula Reyes');
  await refused();
  expect(calls.filter(({ call }) => call === 'GET /session')).toHaveLength(2);
  leave();
});

test('shows who can no longer be mirrored, and continues as oneself after a click', async () => {
  const leave = onSessionChange(({ type }) => changes.push(type));
  const calls = fakeServer({ 'DELETE /session/mirror': { body: makeSession() } });
  render(<MirrorEnded name="Paula Reyes" />);
  expect(screen.getByRole('heading', { name: "You're no longer mirroring Paula Reyes" })).toBe(
    document.activeElement,
  );
  expect(screen.getByText(/^The account was reset, closed or moved to another group\./)).toBeTruthy();
  expect(calls).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Return to your account' }));
  await vi.waitFor(() => expect(changes).toEqual(['mirror']));
  leave();
});

test('shows a failure', async () => {
  fakeServer({ 'DELETE /session/mirror': { status: 500 } });
  render(<MirrorEnded name="Paula Reyes" />);
  await userEvent.click(screen.getByRole('button', { name: 'Return to your account' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Error: An error has occurred/);
});

test("shows that the office's approved time has ended", () => {
  render(<MirrorEnded name="Paula Reyes" timeOver />);
  expect(screen.getByText(/^The access that the office approved has expired\./)).toBeTruthy();
});
