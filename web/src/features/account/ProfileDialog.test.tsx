import { Outlet } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { onSessionChange, type SessionChange } from '@/api/session';
import { type Call, fakeServer, makeSession, makeUser, type Reply } from '@/api/testing';
import type { Session } from '@/api/types';
import { advanceTime, fakeTime, renderScreens } from '@/shared/testing';
import { readMaxLength } from '@/ui/form/testing';
import { ProfileDialog } from './ProfileDialog';
import { field, listed, makeDetails, mirroring, show } from './profileTesting';

let calls: Call[];
const changes: SessionChange[] = [];
let leave = () => {};

beforeEach(() => {
  changes.length = 0;
  leave = onSessionChange((change) => changes.push(change));
});
afterEach(() => {
  leave();
  vi.useRealTimers();
});

const asks = 'GET /users/needsBackfill/prad.demo';
const reads = 'GET /users/userByName/prad.demo';
const saves = 'POST /users/updateBackfill';

const toDetails = ({ jobTitle, companyNm, companyUrl, affiliationCd, affiliationDesc }: Session['user']) =>
  makeDetails({ jobTitle, companyNm, companyUrl, affiliationCd, affiliationDesc, version: 'v1' });

async function open(saved: Reply<'success'> = { body: 'success' }, session = makeSession()) {
  calls = fakeServer({
    [asks]: { body: true },
    [reads]: { body: toDetails(session.user) },
    [saves]: saved,
    'GET /session': { body: makeSession() },
  });
  show(ProfileDialog, session);
  await screen.findByRole('dialog', { name: 'User Profile Information' });
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'SUBMIT' }));
const sent = () => calls.filter(({ call }) => call === saves).map(({ body }) => body);
const dialog = () => screen.queryByRole('dialog');

async function fill(type = 'Billing Company') {
  await userEvent.type(field('Job Title'), ' Billing  Manager ');
  await userEvent.type(field('Company Name'), 'Lakeside');
  await userEvent.click(screen.getByRole('radio', { name: type }));
}

describe('it appears', () => {
  it('with the known values', async () => {
    await open(
      undefined,
      makeSession({ user: makeUser({ jobTitle: 'Nurse', companyUrl: 'lakeside.example' }) }),
    );
    expect(field('Job Title').value).toBe('Nurse');
    expect(field(/^Company Website/).value).toBe('lakeside.example');
    await waitFor(() => expect(document.activeElement).toBe(field('Job Title')));
  });

  it.each([
    ['the profile is complete', { body: false }],
    ['the server does not say', { status: 500 }],
  ])('not when %s', async (_, body) => {
    fakeTime();
    calls = fakeServer({ [asks]: body });
    show(ProfileDialog);
    await waitFor(() => expect(calls).toHaveLength(1));
    await advanceTime(1_000);
    expect(dialog()).toBeNull();
  });

  it('not while mirroring, and without a request', async () => {
    fakeTime();
    calls = fakeServer({});
    show(
      () => (
        <>
          <p>There</p>
          <ProfileDialog />
        </>
      ),
      mirroring,
    );
    await screen.findByText('There');
    await advanceTime(1_000);
    expect(calls).toEqual([]);
    expect(dialog()).toBeNull();
  });
});

test("it can't be dismissed", async () => {
  fakeTime();
  await open();
  await userEvent.keyboard('{Escape}');
  fireEvent.click(document.querySelector('.mantine-Modal-inner') as Element);
  fireEvent.click(document.querySelector('.mantine-Modal-overlay') as Element);
  expect(screen.queryByRole('button', { name: /close|cancel/i })).toBeNull();
  await advanceTime(1_000);
  expect(dialog()).toBeTruthy();
});

describe('the form', () => {
  it('lists missing fields', async () => {
    await open();
    await submit();
    expect(await listed()).toEqual([
      'Enter a job title.',
      'Enter a company name.',
      'Select an account type.',
    ]);
    expect(screen.getByText('Please fix all errors.')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it('asks what Other means, and only then', async () => {
    await open();
    expect(screen.queryByLabelText(/^Description of Other/)).toBeNull();
    await fill('Other');
    await submit();
    expect(await listed()).toEqual(['Enter account type description.']);
    await userEvent.click(screen.getByRole('radio', { name: 'Provider Office Staff' }));
    expect(screen.queryByLabelText(/^Description of Other/)).toBeNull();
    expect(screen.queryByText('Enter account type description.')).toBeNull();
  });

  it('ignores what Other means once it is hidden', async () => {
    await open();
    await fill('Other');
    fireEvent.change(field('Description of Other'), { target: { value: 'x'.repeat(81) } });
    await submit();
    expect(await listed()).toEqual(['Error: Use 80 characters or fewer']);
    await userEvent.click(screen.getByRole('radio', { name: 'Billing Company' }));
    await submit();
    await waitFor(() => expect(sent()).toMatchObject([{ affiliationCd: 'BILLING_CO', affiliationDesc: '' }]));
  });

  it('lists all problems together, Other included', async () => {
    await open();
    await userEvent.click(screen.getByRole('radio', { name: 'Other' }));
    await submit();
    expect(await listed()).toEqual([
      'Enter a job title.',
      'Enter a company name.',
      'Enter account type description.',
    ]);
  });

  it('limits the number of characters', async () => {
    await open();
    await userEvent.click(screen.getByRole('radio', { name: 'Other' }));
    expect(
      ['Job Title', 'Company Name', 'Company Website'].map((label) => readMaxLength(field(label))),
    ).toEqual([128, 128, 128]);
    expect(readMaxLength(field('Description of Other'))).toBe(80);
  });

  it('offers the three types', async () => {
    await open();
    const radios = screen.getAllByRole<HTMLInputElement>('radio');
    expect(radios.map(({ value, labels }) => [value, labels?.[0]?.textContent])).toEqual([
      ['OFC_STAFF', 'Provider Office Staff'],
      ['BILLING_CO', 'Billing Company'],
      ['OTHER', 'Other'],
    ]);
  });
});

describe('saving', () => {
  const backfill = {
    userNm: 'prad.demo',
    jobTitle: 'Billing Manager',
    companyNm: 'Lakeside',
    companyUrl: null,
    affiliationCd: 'BILLING_CO',
    affiliationDesc: '',
    version: 'v1',
  };

  it('closes it, and reloads the session', async () => {
    await open();
    await fill();
    await submit();
    await waitFor(() => expect(dialog()).toBeNull());
    expect(sent()).toEqual([backfill]);
    expect(changes).toEqual([{ type: 'changed' }]);
  });

  it('sends what Other means and the website', async () => {
    await open();
    await fill('Other');
    await userEvent.type(field('Description of Other'), 'Attorney');
    await userEvent.type(field(/^Company Website/), 'lakeside.example');
    await submit();
    await waitFor(() =>
      expect(sent()).toEqual([
        { ...backfill, affiliationCd: 'OTHER', affiliationDesc: 'Attorney', companyUrl: 'lakeside.example' },
      ]),
    );
  });

  it('over a change by someone else asks which values win', async () => {
    await open({
      status: 409,
      body: {
        status: 409,
        code: 'STALE',
        version: 'v2',
        fields: [{ path: 'companyNm', code: 'CHANGED', message: '', value: 'Hillside' }],
      },
    });
    await fill();
    await submit();
    expect(await screen.findByText('Someone else saved changes while you were editing.')).toBeTruthy();
    expect(screen.getByRole('row', { name: 'Company Name Hillside Lakeside' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Apply mine' }));
    await waitFor(() => expect(sent()).toEqual([backfill, { ...backfill, version: 'v2' }]));
  });

  it('works without the stored profile', async () => {
    calls = fakeServer({
      [asks]: { body: true },
      [reads]: { status: 500 },
      [saves]: { body: 'success' },
      'GET /session': { body: makeSession() },
    });
    show(ProfileDialog);
    await screen.findByRole('dialog', { name: 'User Profile Information' });
    await fill();
    await submit();
    await waitFor(() => expect(sent()).toEqual([{ ...backfill, version: undefined }]));
  });

  it('that fails shows an error, and closes three seconds later', async () => {
    await open({ status: 500 });
    await fill();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'SUBMIT' }));
    expect(await screen.findByText('There was an error submitting your information.')).toBeTruthy();
    expect(changes).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_700);
    expect(dialog()).toBeTruthy();
    await vi.advanceTimersByTimeAsync(400);
    await waitFor(() => expect(dialog()).toBeNull());
    expect(sent()).toHaveLength(1);
  });

  it('that fails asks again on the next screen', async () => {
    calls = fakeServer({
      [asks]: { body: true },
      [reads]: { body: toDetails(makeUser()) },
      [saves]: { status: 500 },
    });
    const frame = () => (
      <>
        <Outlet />
        <ProfileDialog />
      </>
    );
    const screens = { '/': () => null, '/next': () => null };
    const { router } = renderScreens(screens, makeSession(), { frame });
    await screen.findByRole('dialog', { name: 'User Profile Information' });
    await fill();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(screen.getByRole('button', { name: 'SUBMIT' }));
    await screen.findByText('There was an error submitting your information.');
    await vi.advanceTimersByTimeAsync(3_100);
    await waitFor(() => expect(dialog()).toBeNull());
    await act(() => router.navigate({ to: '/next', ignoreBlocker: true }));
    expect(await screen.findByRole('dialog', { name: 'User Profile Information' })).toBeTruthy();
  });
});

test("users who don't want to answer can sign out", async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Sign Out' }).getAttribute('href')).toBe('/logout');
});
