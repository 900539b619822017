import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { makeSession, makeUser, neverReplies } from '@/api/testing';
import { replyWithProviders } from '@/shared/testing';
import { findChoice, formatType } from './choice';
import {
  choose,
  expand,
  facility,
  heading,
  open,
  physician,
  picker,
  rows,
  show,
  sorted,
  tin,
} from './testing';

const help = 'Select a Tax ID to Search for Providers...';
const retrieval = 'Error: There was an error retrieving data. Please try again or contact Customer Service.';

describe('the search', () => {
  it('asks for a Tax ID first', async () => {
    const { calls } = show();
    expect((await picker()).value).toBe('');
    expect(screen.getByText(help)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Providers' })).toBeNull();
    expect(calls()).toEqual(['GET /ftin/userFtins/prad.demo']);
    await userEvent.click(await picker());
    const options = await screen.findAllByRole('option', { hidden: true });
    expect(options.map(({ textContent }) => textContent)).toEqual([tin, '222222222']);
  });

  it('lists the providers of the Tax ID by name, with their types', async () => {
    const hospital = { prvId: 'H1', prvName: 'adams Hospital', prvProviderType: 'X' };
    const ancillary = { prvId: 'A1', prvName: 'Mobile X-Ray', prvProviderType: 'A' };
    show({
      'POST /provider/page': replyWithProviders({ [tin]: [hospital, physician, facility, ancillary] }),
    });
    await choose();
    await screen.findByRole('button', { name: 'Hopper, Grace' });
    expect(rows('Providers')).toEqual([
      ['adams Hospital', 'Hospital'],
      ['Hopper, Grace', 'Physician'],
      ['Lakeside Clinic', 'Facility'],
      ['Mobile X-Ray', 'Ancillary'],
    ]);
    expect(sorted('Providers')).toEqual(['Provider Name']);
    expect(screen.queryByText(help)).toBeNull();
  });

  it('waits for the list', async () => {
    show({ 'POST /provider/page': neverReplies });
    await choose();
    expect(await screen.findByText('Please wait while we retrieve data.')).toBeTruthy();
  });

  it('shows when the Tax ID has no providers', async () => {
    show();
    await choose('222222222');
    expect(await screen.findByText('No Providers found for the selected Tax ID')).toBeTruthy();
  });

  it("shows when the list couldn't load, and retries", async () => {
    let failing = true;
    const found = replyWithProviders({ [tin]: [physician] });
    show({ 'POST /provider/page': (body) => (failing ? { status: 400 } : found(body)) });
    await choose();
    expect((await screen.findByRole('alert')).textContent).toBe(retrieval);
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Hopper, Grace' })).toBeTruthy();
  });

  it('pages and filters all of them', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => ({
      ...physician,
      prvId: `P${n}`,
      prvName: `Doe ${n}`,
    }));
    show({ 'POST /provider/page': replyWithProviders({ [tin]: many }) });
    await choose();
    expect(await screen.findByText('1,500 found')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Last' }));
    expect(await screen.findByRole('button', { name: 'Doe 1499' })).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Filter by Provider Name'), 'doe 1234');
    expect(await screen.findByText('1 found')).toBeTruthy();
    expect(rows('Providers')).toEqual([['Doe 1234', 'Physician']]);
  });

  it('clears the list with the Tax ID', async () => {
    const { history } = show();
    await choose();
    await screen.findByRole('button', { name: 'Hopper, Grace' });
    await userEvent.clear(await picker());
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    expect(screen.getByText(help)).toBeTruthy();
    await waitFor(() => expect(history.location.state.kept).toBeUndefined());
  });

  it('clears the list with the only Tax ID', async () => {
    show({ 'GET /ftin/userFtins/prad.demo': { body: [{ ftin: tin }] } });
    await screen.findByRole('button', { name: 'Hopper, Grace' });
    await userEvent.clear(await picker());
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    expect(screen.getByText(help)).toBeTruthy();
    await choose();
    expect(await screen.findByRole('button', { name: 'Hopper, Grace' })).toBeTruthy();
  });

  it("shows when the Tax IDs couldn't load, and retries", async () => {
    let failing = true;
    show({ 'GET /ftin/userFtins/prad.demo': () => (failing ? { status: 400 } : { body: [{ ftin: tin }] }) });
    expect((await screen.findByRole('alert')).textContent).toBe(retrieval);
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await picker()).toBeTruthy();
  });

  it.each([
    ['PRAD', 'Your group has no Tax IDs (TINs) yet. Add one under Manage TINs.'],
    [
      'PRUS',
      "No Tax IDs (TINs) are assigned to your account. Ask your group's administrator to assign them.",
    ],
    ['IRAD', "Providers are looked up by a user's Tax IDs. Mirror a user from User Search."],
    ['ISAD', "Providers are looked up by a user's Tax IDs. Mirror a user from User Search."],
  ] as const)('shows %s without Tax IDs what to do', async (typeCd, what) => {
    show({ 'GET /ftin/userFtins/prad.demo': { body: [] } }, makeSession({ user: makeUser({ typeCd }) }));
    expect(await screen.findByText('There are no Tax IDs (TINs) to search')).toBeTruthy();
    expect(screen.getByRole('main').textContent).toContain(what);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it("offers the mirrored user's Tax IDs", async () => {
    const { calls } = show(
      {},
      makeSession({
        user: makeUser({ userNm: 'isad.demo', typeCd: 'ISAD', grpInfoId: null }),
        mirroredUser: makeUser(),
      }),
    );
    await picker();
    expect(calls()).toEqual(['GET /ftin/userFtins/prad.demo']);
  });
});

describe('navigation to a provider and back', () => {
  it('opens the page of a physician for type P, of a facility for any other', async () => {
    const hospital = { ...facility, prvName: 'Adams Hospital', prvProviderType: 'H' };
    await open(physician);
    expect(await heading('Physician - Hopper, Grace B')).toBeTruthy();
    cleanup();
    await open(facility);
    expect(await heading('Facility - Lakeside Clinic')).toBeTruthy();
    cleanup();
    await open(hospital, { 'POST /provider/page': replyWithProviders({ [tin]: [hospital] }) });
    expect(await heading('Facility - Lakeside Clinic')).toBeTruthy();
  });

  it("doesn't change the address, and Back, Forward and Reload restore everything", async () => {
    const { history, reload } = await open(physician);
    await heading('Physician - Hopper, Grace B');
    expect(document.activeElement?.tagName).toBe('H1');
    expect(history.location.href).toBe('/search');

    history.back();
    expect(await screen.findByRole('button', { name: 'Hopper, Grace' })).toBeTruthy();
    expect((await picker()).value).toBe(tin);
    expect(document.activeElement).toBe(await heading('Demographic Search'));

    reload();
    expect(await screen.findByRole('button', { name: 'Lakeside Clinic' })).toBeTruthy();
    expect((await picker()).value).toBe(tin);

    history.forward();
    await heading('Physician - Hopper, Grace B');
    reload();
    await heading('Physician - Hopper, Grace B');
    history.back();
    history.back();
    expect(await heading('Elsewhere')).toBeTruthy();
  });

  it('has a back button above and below, which restore the list', async () => {
    const { history } = show();
    await choose();
    await userEvent.type(await screen.findByLabelText('Filter by Provider Name'), 'hop');
    await waitFor(() => expect(rows('Providers')).toHaveLength(1));
    for (const place of [0, 1]) {
      await userEvent.click(await screen.findByRole('button', { name: 'Hopper, Grace' }));
      await heading('Physician - Hopper, Grace B');
      const back = screen.getAllByRole('button', { name: 'Back to Demographic Search' });
      expect(back).toHaveLength(2);
      await userEvent.click(back[place] as HTMLElement);
      expect(await heading('Demographic Search')).toBeTruthy();
      await screen.findByRole('button', { name: 'Hopper, Grace' });
      await waitFor(() => expect(rows('Providers')).toHaveLength(1));
      expect((await picker()).value).toBe(tin);
    }
    // Each one was a separate history entry.
    history.back();
    expect(await heading('Elsewhere')).toBeTruthy();
  });

  it('ties each page to the Tax ID that opened it', async () => {
    const { history } = await open(physician, {
      'POST /provider/page': replyWithProviders({ [tin]: [physician], '222222222': [physician] }),
    });
    await heading('Physician - Hopper, Grace B');
    history.push('/search');
    await heading('Demographic Search');
    await choose('222222222');
    await userEvent.click(await screen.findByRole('button', { name: 'Hopper, Grace' }));
    await heading('Physician - Hopper, Grace B');
    expect(screen.getByText('222222222')).toBeTruthy();
    history.go(-2);
    expect(await screen.findByText(tin)).toBeTruthy();
    await expand('Specialties');
    expect(screen.getByText('No records found')).toBeTruthy();
  });
});

it("ignores another user's choice and an invalid one in the history", () => {
  const kept = { tin, prvId: 'P1', prvProviderType: 'P' };
  expect(findChoice([tin], kept)).toEqual(kept);
  expect(findChoice(['222222222'], kept)).toBeNull();
  expect(findChoice([tin], { tin })).toBeNull();
  expect(findChoice([tin], undefined)).toBeNull();
});

it.each([
  ['P', 'Physician'],
  ['F', 'Facility'],
  ['A', 'Ancillary'],
  ['H', 'Hospital'],
  ['', 'Hospital'],
])('shows the type %s as a %s', (code, name) => expect(formatType(code)).toBe(name));
