import type { RouterHistory } from '@tanstack/react-router';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { type Call, fakeServer, makeSession, type Replies } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import ClaimSearchPage from './ClaimSearchPage';
import type { Claim } from './queries';

const makeClaim = (part: Partial<Claim> = {}): Claim => ({
  claimNumber: 'WC-2',
  claimantFirstName: 'Ada',
  claimantLastName: 'Lovelace',
  claimantDOB: '1985-12-10',
  claimantDOI: '2026-03-02',
  stateOfJurisdiction: 'OH',
  claimantGender: 'F',
  ...part,
});

const searching = 'POST /globalclaim/searchByClaimant';
let replies: Replies;
let sent: Call[];

beforeEach(() => {
  replies = {
    [searching]: { body: [makeClaim({ claimNumber: 'WC-1', stateOfJurisdiction: 'PA' }), makeClaim()] },
  };
  sent = fakeServer(replies);
});

function open(routes = ['ClaimSearch', 'billSearch'], history?: RouterHistory, permissions: string[] = []) {
  const screens = { '/ClaimSearch': ClaimSearchPage, '/billSearch': () => <h1>Bill Search</h1> };
  return renderScreens(screens, makeSession({ routes, permissions }), { history }).history;
}

const field = (label: string) =>
  screen.findByLabelText<HTMLInputElement>((text) => text.replace(/\*$/, '') === label);
const searchButton = () => screen.getByRole('button', { name: 'Search' });

async function search() {
  await userEvent.type(await field('Claimant First Name'), ' Ada ');
  await userEvent.type(await field('Claimant Last Name'), 'Lovelace');
  await userEvent.type(await field('Claimant Date of Birth'), '12/10/1985');
  await userEvent.type(await field('Claimant Date of Injury'), '2026-03-02');
  await userEvent.click(searchButton());
}

const rows = () =>
  screen
    .getAllByRole('row')
    .slice(2)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

it("lists missing fields in the page's order, and sends nothing", async () => {
  open();
  await field('Claimant First Name');
  await userEvent.click(searchButton());
  const banner = await screen.findByRole('group', { name: 'Message' });
  expect(banner.textContent).toContain(
    'An error has occurred. Please address all fields marked with “Error”.',
  );
  expect(
    within(banner)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Error: Enter Claimant First Name',
    'Error: Enter Claimant Last Name',
    'Error: Enter Claimant Date of Birth',
    'Error: Enter Claimant Date of Injury',
  ]);
  expect(sent).toEqual([]);
});

it('shows the claims by number, dates as MM/DD/YYYY', async () => {
  open();
  await search();
  await screen.findByRole('table', { name: 'Claims' });
  expect(sent).toEqual([
    {
      call: searching,
      body: {
        claimantFirstName: 'Ada',
        claimantLastName: 'Lovelace',
        claimantDOB: '1985-12-10',
        doi: '2026-03-02',
        wildCardFstName: 'N',
      },
    },
  ]);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Claim Number',
    'Claimant Name',
    'Date of Birth',
    'Date of Injury',
    'State',
    'Gender',
  ]);
  expect(rows()).toEqual([
    ['WC-1, search its bills', 'Ada Lovelace', '12/10/1985', '03/02/2026', 'PA', 'F'],
    ['WC-2, search its bills', 'Ada Lovelace', '12/10/1985', '03/02/2026', 'OH', 'F'],
  ]);
});

it("keeps the server's order, with exact names first, until the user sorts", async () => {
  replies[searching] = {
    body: [makeClaim(), makeClaim({ claimNumber: 'WC-1', claimantFirstName: 'Adá' })],
  };
  open();
  await search();
  await screen.findByRole('table', { name: 'Claims' });
  expect(rows().map(([number]) => number)).toEqual(['WC-2, search its bills', 'WC-1, search its bills']);
  await userEvent.click(screen.getByRole('button', { name: 'Claim Number' }));
  expect(rows().map(([number]) => number)).toEqual(['WC-1, search its bills', 'WC-2, search its bills']);
});

it('passes a claim to Bill Search outside the address', async () => {
  const history = open();
  await search();
  await userEvent.click(await screen.findByRole('link', { name: /^WC-1/ }));
  await screen.findByRole('heading', { name: 'Bill Search' });
  expect(history.location.href).toBe('/billSearch');
  expect(history.location.state.claim).toEqual({
    owner: expect.stringMatching(/^prad\.demo /),
    claimNumber: 'WC-1',
  });
});

it('opens all bills of a claim directly where the Workspace is on', async () => {
  const history = open(undefined, undefined, ['work.bills']);
  await search();
  await userEvent.click(await screen.findByRole('link', { name: /^WC-1 ?, all its bills$/ }));
  await screen.findByRole('heading', { name: 'Bill Search' });
  expect(history.location.href).toBe('/billSearch');
  expect(history.location.state.kept).toMatchObject({
    owner: expect.stringMatching(/^prad\.demo /),
    criteria: { mode: 'wholeClaim', claimNumber: 'WC-1' },
  });
});

it("doesn't link to a Bill Search that the user can't open", async () => {
  open(['ClaimSearch']);
  await search();
  await screen.findByRole('table', { name: 'Claims' });
  expect(screen.queryByRole('link')).toBeNull();
  expect(rows()[0]?.[0]).toBe('WC-1');
});

it("shows the server's reason in place of claims", async () => {
  replies[searching] = { body: { resultMessage: 'More than 100 claims match.' } };
  open();
  await search();
  expect((await screen.findByRole('alert')).textContent).toBe('Error: More than 100 claims match.');
  expect(screen.queryByRole('table')).toBeNull();
});

it('shows the wait time when the search hits a rate limit', async () => {
  replies[searching] = { status: 429, body: { message: 'Wait 12 minutes.' } };
  open();
  await search();
  expect((await screen.findByRole('alert')).textContent).toContain('Wait 12 minutes.');
});

it('shows that the search failed, and retries', async () => {
  const found = replies[searching];
  replies[searching] = { status: 500 };
  open();
  await search();
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Error: There was an error retrieving data. Please try again or contact Customer Service.',
  );
  replies[searching] = found;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('table', { name: 'Claims' });
});

it('blocks a second search while one runs', async () => {
  let finish = (_: { body: Claim[] }) => {};
  replies[searching] = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  open();
  await search();
  await waitFor(() => expect(searchButton().getAttribute('aria-disabled')).toBe('true'));
  await userEvent.click(searchButton());
  finish({ body: [] });
  await waitFor(() => expect(searchButton().getAttribute('aria-disabled')).toBeNull());
  expect(sent).toHaveLength(1);
});

it('is stored in the history, and Reset deletes it', async () => {
  const history = open();
  await search();
  await waitFor(() => expect(history.location.state.kept?.criteria).toMatchObject({ doi: '03/02/2026' }));
  cleanup();

  open(undefined, history);
  await screen.findByRole('table', { name: 'Claims' });
  expect((await field('Claimant Last Name')).value).toBe('Lovelace');
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect((await field('Claimant Last Name')).value).toBe('');
  expect(screen.queryByRole('table')).toBeNull();
  await waitFor(() => expect(history.location.state.kept).toBeUndefined());
});

it('clears the previous claims when a search is incomplete', async () => {
  open();
  await search();
  await screen.findByRole('table', { name: 'Claims' });
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  await userEvent.clear(await field('Claimant Last Name'));
  await userEvent.click(searchButton());
  await screen.findByRole('group', { name: 'Message' });
  expect(screen.queryByRole('table')).toBeNull();
});
