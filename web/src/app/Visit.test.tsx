import { Outlet } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { makeSession } from '@/api/testing';
import { useSearchState } from '@/shared/historyState';
import { getOwner } from '@/shared/owner';
import { renderScreens } from '@/shared/testing';
import { createTableState } from '@/ui/table/state';
import { Visit } from './Visit';

const session = makeSession();

let count = 0;

function Bills() {
  const { search, start } = useSearchState((kept) => kept as string, {});
  const [made] = useState(() => ++count);
  return (
    <>
      <h1>{search ? `Found ${search.criteria}` : 'Nothing searched'}</h1>
      <p>Made {made}</p>
      <button type="button" onClick={() => start('A')}>
        Search
      </button>
    </>
  );
}

async function show() {
  const frame = () => (
    <Visit>
      <Outlet />
    </Visit>
  );
  const { router } = renderScreens({ '/bills': Bills, '/bill': () => <h1>Bill</h1> }, session, { frame });
  await shows('Nothing searched');
  return {
    choose: () =>
      router.navigate({ to: '.', state: { provider: { tin: '1', prvId: '1', prvProviderType: 'P' } } }),
    hand: (criteria?: string) =>
      router.navigate({
        to: '/bills',
        state: criteria ? { kept: { owner: getOwner(session), criteria, table: createTableState({}) } } : {},
      }),
    to: (path: string) => router.navigate({ to: path }),
    go: (steps: number) => router.history.go(steps),
  };
}

const shows = (heading: string) => screen.findByRole('heading', { name: heading });

test('a search passed to its own screen opens there, and Back restores the previous one', async () => {
  const { hand, go } = await show();
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await shows('Found A');
  await hand('B');
  await shows('Found B');
  go(-1);
  await shows('Found A');
  go(1);
  await shows('Found B');
});

test('a link to the screen without a search starts over, and Back restores the search', async () => {
  const { hand, go, to } = await show();
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await shows('Found A');
  await hand();
  await shows('Nothing searched');
  go(-1);
  await shows('Found A');
  await to('/bill');
  await shows('Bill');
  go(-1);
  await shows('Found A');
});

test("the directory's navigation to a provider and back doesn't remount the screen", async () => {
  const { choose, go } = await show();
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await shows('Found A');
  const made = screen.getByText(/^Made/).textContent;
  await choose();
  go(-1);
  await shows('Found A');
  expect(screen.getByText(/^Made/).textContent).toBe(made);
});
