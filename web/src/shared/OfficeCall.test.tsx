import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import { OfficeCall } from './OfficeCall';
import { renderScreens } from './testing';

test('a call that is sent again after a lost response is the same call', async () => {
  let lost = true;
  const calls = fakeServer({
    'POST /desk/calls': () => {
      if (!lost) return { body: { number: 'C-4K7Q-29MX', entry: 1, offices: [] } };
      lost = false;
      return { status: 503 };
    },
  });
  const Page = () => <OfficeCall id="page-1" ftin="111111111" />;
  renderScreens({ '/': Page }, makeSession({ permissions: ['cases.work'] }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log call' }));
  expect(await screen.findByText("Error: Couldn't log the call. Try again.")).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Log call' }));
  expect(await screen.findByRole('link', { name: 'C-4K7Q-29MX' })).toBeTruthy();
  const [first, second] = calls.map(({ body }) => body);
  expect(first).toEqual({ requestKey: expect.any(String), bills: ['page-1'] });
  expect(second).toEqual(first);
});

test('after Undo, the call can be logged again with its other bills', async () => {
  const calls = fakeServer({
    'POST /desk/calls': { body: { number: 'C-4K7Q-29MX', entry: 1, offices: [] } },
    'DELETE /desk/calls/C-4K7Q-29MX': { status: 204 },
  });
  const Page = () => (
    <>
      <OfficeCall id="page-2" ftin="222222222" />
      <OfficeCall id="page-3" ftin="222222222" />
    </>
  );
  renderScreens({ '/': Page }, makeSession({ permissions: ['cases.work'] }));
  const log = async () =>
    userEvent.click((await screen.findAllByRole('button', { name: 'Log call' })).at(-1) as HTMLElement);
  await log();
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'C-4K7Q-29MX' })).toBeNull());
  await log();
  await screen.findByRole('link', { name: 'C-4K7Q-29MX' });
  const logged = calls.filter(({ call }) => call === 'POST /desk/calls').map(({ body }) => body);
  expect(logged).toMatchObject([{ bills: ['page-3', 'page-2'] }, { bills: ['page-3', 'page-2'] }]);
});
