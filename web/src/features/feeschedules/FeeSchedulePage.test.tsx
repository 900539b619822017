import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  fakeServer,
  listCalls,
  makeSession,
  makeStream,
  makeUser,
  neverReplies,
  type Replies,
} from '@/api/testing';
import type { Session } from '@/api/types';
import { renderScreens, replyWithPages, replyWithProviders } from '@/shared/testing';
import FeeSchedulePage from './FeeSchedulePage';

const code = (part: object = {}) => ({
  nationalRateCd: 'OH-01',
  provLctnName: 'Lake Center',
  provLctnAddr: '1 Lake Street',
  provLctnDetails: 'Main office',
  lctnZipCd: '44114',
  cpdProvId: '700',
  ...part,
});

const file = { feeSchedRqstId: 9, fileName: 'Fee.xlsx', schedUri: '/feeSchedule/file/9', fileViwed: 'N' };
const files = { successCount: 1, feeSchedList: [file] };
const physician = { prvId: '700', prvName: 'Reed, Anna', prvProviderType: 'P' };
const may = makeSession({ permissions: ['feeSchedules.request'] });

const tins = 'GET /ftin/userFtins/prad.demo';
const providers = 'POST /provider/page';
const codes = 'POST /feeSchedule/rateCodes/page';
const ask = 'POST /feeSchedule/addFeeSchedRequest/prad.demo/OH-01/700/Lake%20Center/44114';
const stream = 'GET /feeSchedule/submitFeeScheduleAndNotify';

const events = (text: string) => () => ({ body: makeStream(text) });

/** Shows the screen with these replies, else with those for a provider with one location. */
function show(replies: Replies = {}, session: Session = may) {
  const calls = fakeServer({
    [tins]: { body: [{ ftin: '111111111' }] },
    [providers]: replyWithProviders({ '111111111': [physician] }),
    [codes]: replyWithPages([code()]),
    [ask]: { body: 9 },
    [stream]: events(`data: Request in process\n\ndata: ${JSON.stringify(files)}\n\n`),
    ...replies,
  });
  renderScreens({ '/': FeeSchedulePage }, session, { reactStrictMode: true });
  return calls;
}

const field = (name: string) => screen.findByRole<HTMLInputElement>('combobox', { name });
const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));

async function choose(name: string, option: string) {
  await userEvent.click(await field(name));
  // These tests don't have a layout to position the list.
  await userEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
}

async function search() {
  await choose('Provider', 'Reed, Anna (700)');
  await press('Search');
}

async function request() {
  await search();
  await press('Select OH-01, Lake Center');
}

const dialog = () => within(screen.getByRole('dialog'));

describe('the search', () => {
  it('is by line of business, Tax ID and provider', async () => {
    const calls = show();
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: "Workers' Comp" })).checked).toBe(
      true,
    );
    await userEvent.click(screen.getByRole('radio', { name: 'Auto' }));
    await search();
    await waitFor(() =>
      expect(calls.find(({ call }) => call === codes)?.body).toMatchObject({
        lob: 'DPAUT',
        providerId: '700',
        tin: '111111111',
        table: { page: 0, pageSize: 10, sort: { id: 'location', desc: false } },
      }),
    );
  });

  it('requires a Tax ID and a provider, and clears the provider when the Tax ID changes', async () => {
    show({
      [tins]: { body: [{ ftin: '222222222' }, { ftin: '111111111' }] },
    });
    await press('Search');
    const said = async () =>
      within(await screen.findByRole('group', { name: 'Message' }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(await said()).toEqual(['Error: Select Tax ID', 'Error: Select Provider']);
    await choose('Tax ID', '111111111');
    await choose('Provider', 'Reed, Anna (700)');
    await choose('Tax ID', '222222222');
    expect(await screen.findByText('Error: Provider not found')).toBeTruthy();
    expect((await field('Provider')).value).toBe('');
    await press('Search');
    await waitFor(async () => expect(await said()).toEqual(['Error: Provider not found']));
  });

  it.each([
    ['line of business', () => userEvent.click(screen.getByRole('radio', { name: 'Auto' }))],
    ['Tax ID', () => choose('Tax ID', '222222222')],
    ['provider', () => choose('Provider', 'Bell, Carl (701)')],
  ])('clears the results when the %s changes', async (_, change) => {
    show({
      [tins]: { body: [{ ftin: '111111111' }, { ftin: '222222222' }] },
      [providers]: replyWithProviders({
        '111111111': [physician, { prvId: '701', prvName: 'Bell, Carl', prvProviderType: 'P' }],
      }),
    });
    await choose('Tax ID', '111111111');
    await search();
    await screen.findByRole('cell', { name: 'OH-01' });
    await press('Change');
    await change();
    expect(screen.queryByRole('heading', { name: 'Rate Codes' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Search' })).toBeTruthy();
  });

  it('shows the providers in a list that was opened before they loaded', async () => {
    let load = () => {};
    show({
      [providers]: async (body) => {
        await new Promise<void>((done) => {
          load = done;
        });
        return replyWithProviders({ '111111111': [physician] })(body);
      },
    });
    await userEvent.click(await field('Provider'));
    expect(await screen.findByText('Loading providers')).toBeTruthy();
    load();
    await userEvent.click(await screen.findByRole('option', { name: 'Reed, Anna (700)', hidden: true }));
    expect((await field('Provider')).value).toBe('Reed, Anna (700)');
  });

  it("shows when the providers or the rate codes don't load", async () => {
    show({ [codes]: { status: 400 } });
    await search();
    expect(await screen.findByText(/^Error: There was an error retrieving data/)).toBeTruthy();
  });

  it.each([
    ['P', /^There are no Rate Codes for the selected criteria, please revise/, /letterhead/],
    ['H', /^Please send a written request on company letterhead/, /^There are no Rate Codes/],
  ])('without rate codes shows what to do (%s)', async (prvProviderType, said, unsaid) => {
    show({
      [providers]: replyWithProviders({ '111111111': [{ ...physician, prvProviderType }] }),
      [codes]: replyWithPages([]),
    });
    await search();
    expect(await screen.findByText(said)).toBeTruthy();
    expect(screen.queryByText(unsaid)).toBeNull();
  });

  it('lists the rate codes of a hospital that has some', async () => {
    show({
      [providers]: replyWithProviders({ '111111111': [{ ...physician, prvProviderType: 'H' }] }),
      [codes]: replyWithPages([code({ provLctnName: 'East' }), code({ provLctnName: 'West' })]),
    });
    await search();
    const buttons = await screen.findAllByRole('button', { name: /^Select/ });
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      'Select OH-01, East',
      'Select OH-01, West',
    ]);
    expect(screen.queryByText(/letterhead/)).toBeNull();
  });

  it('finds a provider beyond the first options, and pages rate codes', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => ({
      prvId: String(10000 + n),
      prvName: `Doe${n}, Ann`,
      prvProviderType: 'P',
    }));
    const listed = Array.from({ length: 2100 }, (_, n) => code({ nationalRateCd: `OH-${n}` }));
    show({ [providers]: replyWithProviders({ '111111111': many }), [codes]: replyWithPages(listed) });
    expect(await screen.findByText(/^Showing the first 50 of 1,500\. Type part/)).toBeTruthy();
    await userEvent.type(await field('Provider'), 'Doe1499');
    await userEvent.click(await screen.findByRole('option', { name: 'Doe1499, Ann (11499)', hidden: true }));
    await press('Search');
    expect(await screen.findByText('2,100 found')).toBeTruthy();
    await press('Last');
    expect(await screen.findByText('OH-2099')).toBeTruthy();
    await press('Change');
    expect((await field('Provider')).value).toBe('Doe1499, Ann (11499)');
  });

  describe('with more providers than options', () => {
    const many = Array.from({ length: 1500 }, (_, n) => ({
      prvId: String(10000 + n),
      prvName: `Doe${n}, Ann`,
      prvProviderType: 'P',
    }));
    const over = (box: HTMLInputElement) => ({
      initialSelectionStart: 0,
      initialSelectionEnd: box.value.length,
    });
    const offered = () =>
      screen.queryAllByRole('option', { hidden: true }).map(({ textContent }) => textContent);

    /**
     * Selects a provider that isn't among the first. The test decides when the server responds
     * to later searches.
     */
    async function chosen() {
      let held: Promise<void> | null = null;
      let release = () => {};
      const calls = show({
        [providers]: async (body) => {
          await held;
          return replyWithProviders({ '111111111': many })(body);
        },
      });
      await screen.findByText(/Type part/);
      const box = await field('Provider');
      await userEvent.type(box, 'Doe1499');
      await userEvent.click(
        await screen.findByRole('option', { name: 'Doe1499, Ann (11499)', hidden: true }),
      );
      held = new Promise((resolve) => {
        release = resolve;
      });
      return { box, calls, release: () => release() };
    }

    it("Enter selects the match for a text typed over the selection, even before it's found", async () => {
      const { box, release } = await chosen();
      await userEvent.type(box, 'Doe1277{Enter}', over(box));
      expect(box.value).toBe('Doe1277');
      expect(offered()).not.toContain('Doe1499, Ann (11499)');
      release();
      await waitFor(() => expect(box.value).toBe('Doe1277, Ann (11277)'));
    });

    it("blur selects a fully typed provider once it's found", async () => {
      const { box, calls, release } = await chosen();
      await userEvent.type(box, 'Doe1277, Ann (11277)', over(box));
      await userEvent.tab();
      release();
      await waitFor(() => expect(box.value).toBe('Doe1277, Ann (11277)'));
      await press('Search');
      await waitFor(() =>
        expect(calls.find(({ call }) => call === codes)?.body).toMatchObject({ providerId: '11277' }),
      );
    });

    it('blur with a text that matches no provider keeps the selection', async () => {
      const { box, release } = await chosen();
      await userEvent.type(box, 'Doe12', over(box));
      await userEvent.tab();
      release();
      await waitFor(() => expect(box.value).toBe('Doe1499, Ann (11499)'));
    });

    it("doesn't offer the selection when another text doesn't match it", async () => {
      const { box, release } = await chosen();
      release();
      await userEvent.type(box, 'Doe1277', over(box));
      await screen.findByRole('option', { name: 'Doe1277, Ann (11277)', hidden: true });
      expect(offered()).not.toContain('Doe1499, Ann (11499)');
      // The hint below the field stays, so that nothing moves during a click.
      expect(screen.getByText(/^Showing the first 50 of 1,500\. Type part/)).toBeTruthy();
    });
  });

  it("isn't for accounts without permission", async () => {
    const calls = show({}, makeSession());
    expect(await screen.findByText("You don't have access")).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it('shows a user without a Tax ID what to do', async () => {
    show({ [tins]: { body: [] } });
    expect((await screen.findByRole('link', { name: 'Manage TINs' })).getAttribute('href')).toBe(
      '/ManageTins',
    );
  });
});

describe('a request', () => {
  it('is in progress once accepted, then links to its file and is finished', async () => {
    const inProgress = 'Your request is in progress, and you will be notified once it is available.';
    let say = (_: string) => {};
    const body = new ReadableStream<Uint8Array>({
      start: (open) => {
        say = (text) => open.enqueue(new TextEncoder().encode(text));
      },
    });
    const calls = show({ [stream]: { body } });
    await request();
    say('data: Request in process\n\n');
    await waitFor(() => expect(dialog().getByText(inProgress)).toBeTruthy());
    say(`data: ${JSON.stringify(files)}\n\n`);
    await screen.findByRole('link', { name: /^Fee\.xlsx/ });
    expect(dialog().queryByText(inProgress)).toBeNull();
    expect(dialog().getByText('The fee schedule is available.')).toBeTruthy();
    expect(listCalls(calls).filter((call) => call === ask || call === stream)).toEqual([ask, stream]);
    const { query } = calls.find(({ call }) => call === ask) ?? {};
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ tin: '111111111', lob: 'DPWC' });
  });

  it('escapes odd names as one path segment, and sends a hyphen for an empty one', async () => {
    const odd = 'POST /feeSchedule/addFeeSchedRequest/prad.demo/A%2FB%20%3F/700/-/-';
    const calls = show({
      [codes]: replyWithPages([code({ nationalRateCd: 'A/B ?', provLctnName: ' ', lctnZipCd: '' })]),
      [odd]: { body: 9 },
    });
    await search();
    await press(/^Select/);
    await screen.findByRole('link', { name: /^Fee\.xlsx/ });
    expect(listCalls(calls)).toContain(odd);
  });

  it.each([
    ['is not accepted', { [ask]: { status: 500 } }],
    ['fails', { [stream]: events('event: failed\ndata: No.\n\n') }],
    ['may not be followed', { [stream]: { status: 404 } }],
  ])('that %s can be repeated', async (_, replies: Replies) => {
    const calls = show(replies);
    await request();
    await screen.findByText('Your request could not be submitted, please retry.');
    const before = listCalls(calls).filter((call) => call === ask).length;
    await press('Try again');
    await waitFor(() => expect(listCalls(calls).filter((call) => call === ask)).toHaveLength(before + 1));
  });

  it("shows that it's sent until it's accepted", async () => {
    show({ [ask]: neverReplies });
    await request();
    expect(await screen.findByText('Submitting your request...')).toBeTruthy();
    expect(dialog().queryByText(/^Your request is in progress/)).toBeNull();
  });

  it('is blocked while mirroring, with a message', async () => {
    const mirrored = { ...may, user: makeUser({ userNm: 'isad.demo' }), mirroredUser: makeUser() };
    show({}, mirrored);
    await search();
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: /^Select/ });
    expect(button.disabled).toBe(true);
    expect(screen.getByText("You can't request fee schedules while mirroring. Revert first.")).toBeTruthy();
  });
});

describe('failed fee schedules', () => {
  const lost = 'GET /feeSchedule/lost';
  const again = 'POST /feeSchedule/lost/7/again';
  const dismiss = 'POST /feeSchedule/lost/7/dismiss';
  const owner = makeSession({ permissions: ['feeSchedules.request', 'feeSchedules.lost'] });
  const failure = "Couldn't create fee schedule OH-01 for Lake Center, requested 11/20/2026.";

  /** A server that reports the failed fee schedule until it's handled. */
  function server(replies: Replies = {}) {
    let over = false;
    const ends =
      <T,>(reply: T) =>
      () => {
        over = true;
        return reply;
      };
    const row = {
      id: 7,
      nationalRateCd: 'OH-01',
      provLctnName: 'Lake Center',
      lctnZipCd: '44114',
      askedAt: '2026-11-20T15:00:00Z',
    };
    return {
      [lost]: () => ({ body: over ? [] : [row] }),
      [again]: ends({ body: 8 }),
      [dismiss]: ends({ status: 204 as const }),
      ...replies,
    };
  }

  it.each([
    ['Try again OH-01, Lake Center', again],
    ['Dismiss OH-01, Lake Center', dismiss],
  ])('are shown until a user clicks %s', async (button, call) => {
    const calls = show(server(), owner);
    expect(await screen.findByText(failure)).toBeTruthy();
    await press(button);
    await waitFor(() => expect(screen.queryByText(failure)).toBeNull());
    expect(listCalls(calls).filter((name) => name === call)).toHaveLength(1);
  });

  it('stay when the action failed', async () => {
    show(server({ [again]: { status: 500 } }), owner);
    await press('Try again OH-01, Lake Center');
    expect(await screen.findByText("Error: Couldn't update the request. Try again.")).toBeTruthy();
    expect(screen.getByText(failure)).toBeTruthy();
  });

  it('are visible while mirroring, without actions', async () => {
    show(server(), { ...owner, user: makeUser({ userNm: 'isad.demo' }), mirroredUser: makeUser() });
    expect(await screen.findByText(failure)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^(Try again|Dismiss)/ })).toBeNull();
  });

  it("aren't requested without a Workspace", async () => {
    const calls = show(server());
    await search();
    expect(listCalls(calls)).not.toContain(lost);
  });
});
