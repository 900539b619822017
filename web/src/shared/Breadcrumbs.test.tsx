import { useLocation, useParams } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { components } from '@/api/schema';
import { fakeServer, makeSession } from '@/api/testing';
import { BillLink } from './BillLink';
import { Breadcrumbs } from './Breadcrumbs';
import { LinkedListContext } from './listPosition';
import * as paths from './paths';
import { renderScreens } from './testing';

type OpenBill = components['schemas']['OpenBill'];

function Page() {
  const { id = '' } = useParams({ strict: false });
  return (
    <Breadcrumbs
      id={id}
      name={`No. ${id}`}
      list={{ name: 'Open bills', to: paths.openBills }}
      toPage={paths.toBill}
    />
  );
}

const List = () => (
  <LinkedListContext
    value={{
      name: 'Denied',
      to: paths.openBills,
      ids: ['A', 'B', 'C'],
      before: 50,
      count: 60,
      rest: useLocation().searchStr
        ? { of: 'bills', request: { filter: {}, after: 'C', limit: 3, order: 'due' } }
        : undefined,
    }}
  >
    <BillLink page="B">B</BillLink>
  </LinkedListContext>
);

const show = (at: string) =>
  renderScreens({ [paths.openBills]: List, [paths.bill]: Page }, makeSession(), { at }).router;

test('a page opened from a list shows its position, and the pages before and after it', async () => {
  const router = show('/work/bills');
  await userEvent.click(await screen.findByRole('link', { name: 'B' }));
  expect(await screen.findByText('No. B')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Denied' }).getAttribute('href')).toBe('/work/bills');
  expect(screen.getByText(/^52 of 60/)).toBeTruthy();
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(await screen.findByText('No. C')).toBeTruthy();
  expect(screen.getByText(/^53 of 60/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Next' })).toBeNull();
  router.history.back();
  expect(await screen.findByRole('link', { name: 'B' })).toBeTruthy();
});

test('the rest of the list loads when the loaded part ends', async () => {
  const calls = fakeServer({
    'POST /work/bills/search': {
      body: { asOf: '', bills: ['C', 'D'].map((id) => ({ id }) as OpenBill), next: '' },
    },
  });
  show('/work/bills?rest');
  await userEvent.click(await screen.findByRole('link', { name: 'B' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Next' }));
  expect(await screen.findByText('No. C')).toBeTruthy();
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(await screen.findByText('No. D')).toBeTruthy();
  expect(screen.getByText(/^54 of 60/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Next' })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Previous' }));
  expect(await screen.findByText('No. C')).toBeTruthy();
  expect(calls.map(({ body }) => body)).toEqual([
    { filter: {}, after: 'C', limit: 3, order: 'due', skip: 0 },
  ]);
});

test.each([
  ['Previous', () => screen.findByText('No. A')],
  ['Denied', () => screen.findByRole('link', { name: 'B' })],
])('the rest of the list loads too late after the user left by %s', async (link, findNext) => {
  let answer = () => {};
  const left = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const calls = fakeServer({
    'POST /work/bills/search': async () => {
      await left;
      return { body: { asOf: '', bills: ['D'].map((id) => ({ id }) as OpenBill), next: '' } };
    },
  });
  const router = show('/work/bills?rest');
  await userEvent.click(await screen.findByRole('link', { name: 'B' }));
  await userEvent.click(await screen.findByRole('link', { name: 'Next' }));
  await screen.findByText('No. C');
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  await waitFor(() => expect(calls).toHaveLength(1));
  if (link === 'Previous') await userEvent.click(screen.getByRole('link', { name: 'Previous' }));
  await userEvent.click(await screen.findByRole('link', { name: link }));
  expect(await findNext()).toBeTruthy();
  const { pathname } = router.state.location;
  answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(router.state.location.pathname).toBe(pathname);
});

test('a page opened by its address has the list above it alone', async () => {
  show('/work/bill/B');
  expect(await screen.findByRole('link', { name: 'Open bills' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Next' })).toBeNull();
  expect(screen.queryByText(/ of /)).toBeNull();
});
