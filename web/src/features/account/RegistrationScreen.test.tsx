import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readMaxLength } from '@/ui/form/testing';
import { RegistrationCompleteScreen } from './RegistrationCompleteScreen';
import { RegistrationScreen } from './RegistrationScreen';
import {
  accept,
  button,
  expireLink,
  loseConnection,
  message,
  neverRespond,
  openScreen,
  respondWithError,
  sent,
  start,
} from './testing';

beforeEach(() =>
  start('POST /public/registration/completeRequestAccount', { supportEmail: 'help@portal.example' }),
);
const later = () => Date.now() + 60_000;

const filled = {
  'Authentication Code': 'abcde-fghj2-34567-89abc',
  Affiliation: 'OFC_STAFF',
  'First Name': 'Paula',
  'Last Name': 'Reyes',
  'Middle Initial': 'M',
  'Phone Number': '(212) 555-0100',
  'Job Title': 'Office Manager',
  'Company Name': 'Lakeside Orthopedics',
  'Company URL': 'https://lakeside.example',
};
type Field = keyof typeof filled | 'Other Affiliation' | 'FTIN' | 'Provider Name';

const field = (name: Field) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
const fill = (values: Partial<Record<Field, string>>) => {
  for (const [name, value] of Object.entries(values))
    fireEvent.change(field(name as Field), { target: { value } });
};
async function addProvider(ftin = '123456789', name = 'Lakeside Orthopedics') {
  fill({ FTIN: ftin, 'Provider Name': name });
  await userEvent.click(button('Add'));
}
const done = () => userEvent.click(button('Done'));

async function open(values: Partial<Record<Field, string>> = {}) {
  const router = await openScreen(RegistrationScreen, `/registration?token=secret&expire=${later()}`);
  fill({ ...filled, ...values });
  return router;
}

describe('the link', () => {
  test.each([
    ['/registration', 'Invalid activation link. Please restart registration.'],
    [`/registration?expire=${later()}`, 'Invalid activation link. Please restart registration.'],
    ['/registration?token=t&expire=1000', 'Your activation link has expired, please restart registration.'],
  ])('%s says: %s', async (address, text) => {
    await openScreen(RegistrationScreen, address);
    expect(screen.getByRole('alert').textContent).toBe(text);
    expect(screen.getByRole('link', { name: 'restart registration' }).getAttribute('href')).toBe(
      '/emailRegistration',
    );
  });

  test('disappears from the address immediately, but survives a reload', async () => {
    const router = await openScreen(RegistrationScreen, `/registration?token=secret&expire=${later()}`);
    expect(router.history.location.href).toBe('/registration');
    expect(router.history.length).toBe(1);
    expect(router.history.location.state.link?.token).toBe('secret');
    await router.load();
    expect(field('Authentication Code')).toBeTruthy();
  });

  test('that expires while the form is filled in is reported by the server', async () => {
    respondWithError(400, 'EXPIRED_TOKEN');
    await open();
    await addProvider();
    await done();
    await vi.waitFor(async () => expect(await message()).toMatch(/^Your activation link has expired/));
  });
});

test.each([
  ['INVALID_TOKEN', 'Invalid activation link. Please restart registration.'],
  ['EXPIRED_TOKEN', 'Your activation link has expired, please restart registration.'],
] as const)('a link that is %s shows so before the form', async (standing, text) => {
  expireLink(standing);
  await openScreen(RegistrationScreen, '/registration?token=secret');
  expect(screen.getByRole('alert').textContent).toBe(text);
  expect(screen.queryByLabelText(/^First Name/)).toBeNull();
});

describe('the form', () => {
  test('is sent with its token, and ends with thanks', async () => {
    accept();
    const router = await open();
    await addProvider();
    await done();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/registrationComplete'));
    expect(router.history.location.state.link).toBeUndefined();
    // The form is still there, without an error about the missing link.
    expect(screen.queryByRole('alert')).toBeNull();
    expect(router.history.length).toBe(1);
    expect(sent()).toEqual([
      {
        call: 'POST /public/registration/completeRequestAccount',
        body: {
          token: 'secret',
          authenticationCode: 'ABCDE-FGHJ2-34567-89ABC',
          affiliation: 'OFC_STAFF',
          otherAffiliation: '',
          firstName: 'Paula',
          lastName: 'Reyes',
          middleInitial: 'M',
          phoneNumber: '212-555-0100',
          jobTitle: 'Office Manager',
          companyName: 'Lakeside Orthopedics',
          companyUrl: 'https://lakeside.example',
          providerList: [{ ftin: '123456789', providerName: 'Lakeside Orthopedics' }],
        },
      },
    ]);
  });

  test('offers the affiliations, with none selected', async () => {
    await openScreen(RegistrationScreen, '/registration?token=t');
    const options = [...field('Affiliation').querySelectorAll('option')];
    expect(options.map(({ value, textContent }) => [value, textContent])).toEqual([
      ['', 'Select One'],
      ['OFC_STAFF', 'Provider Staff or Facility Employee'],
      ['BILLING_CO', 'Third Party Billing Company'],
      ['OTHER', 'Other'],
    ]);
    expect(field('Affiliation').value).toBe('');
  });

  test('lists all missing fields', async () => {
    await openScreen(RegistrationScreen, '/registration?token=t');
    await done();
    const problems = await screen.findByRole('group', { name: 'Message' });
    expect([...problems.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      'Error: Enter Authentication Code',
      'Affiliation is required.',
      'First Name must have at least 2 letters.',
      'Last Name must have at least 2 letters.',
      'A valid Phone Number is required.',
      'Job Title must have at least 2 letters.',
      'Company Name must have at least 2 letters.',
      'Provider information is required.',
    ]);
    expect(document.activeElement).toBe(problems);
    expect(sent()).toEqual([]);
    await userEvent.click(screen.getByRole('link', { name: 'Provider information is required.' }));
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Provider Information' }));
  });

  test.each<[Field, string, string]>([
    ['Authentication Code', 'ABCDE-FGHJ2-34567', 'Invalid Authentication Code'],
    ['Authentication Code', 'ABCDEFGHJ23456789ABC', 'Invalid Authentication Code'],
    ['First Name', 'P1', 'First Name must have at least 2 letters.'],
    ['Last Name', ' R ', 'Last Name must have at least 2 letters.'],
    ['Phone Number', '555-0100', 'A valid Phone Number is required.'],
    ['Phone Number', '21255501000', 'A valid Phone Number is required.'],
    ['Phone Number', '212x5550100', 'A valid Phone Number is required.'],
    ['Job Title', 'M.', 'Job Title must have at least 2 letters.'],
    ['Company Name', '3M', 'Company Name must have at least 2 letters.'],
  ])('rejects a %s such as %j', async (name, value, text) => {
    await open({ [name]: value });
    await addProvider();
    await done();
    expect(await message()).toBe(`Check these fields:${text}`);
    expect(sent()).toEqual([]);
  });

  test('asks for the other affiliation', async () => {
    accept();
    const router = await open();
    expect(screen.queryByLabelText(/^Other Affiliation/)).toBeNull();
    await addProvider();
    fill({ Affiliation: 'OTHER', 'Other Affiliation': 'x' });
    await done();
    expect(await message()).toMatch(/Other Affiliation must have at least 2 letters\.$/);
    fill({ Affiliation: 'BILLING_CO' });
    await vi.waitFor(() => expect(screen.queryByText(/^Other Affiliation must/)).toBeNull());
    fill({ Affiliation: 'OTHER', 'Other Affiliation': 'Attorney' });
    await done();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/registrationComplete'));
    expect(sent().at(-1)?.body).toMatchObject({ affiliation: 'OTHER', otherAffiliation: 'Attorney' });
  });

  test('ignores the other affiliation once it is hidden', async () => {
    accept();
    await open();
    await addProvider();
    fill({ Affiliation: 'OTHER', 'Other Affiliation': 'x'.repeat(401) });
    await done();
    expect(await message()).toMatch(/Error: Use 80 characters or fewer$/);
    fill({ Affiliation: 'BILLING_CO' });
    await done();
    await vi.waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]?.body).toMatchObject({ affiliation: 'BILLING_CO', otherAffiliation: '' });
  });

  test('reports other problems together with the other affiliation', async () => {
    await open({ 'Authentication Code': '', Affiliation: 'OTHER' });
    await done();
    expect(await message()).toBe(
      'Check these fields:Error: Enter Authentication CodeOther Affiliation must have at least 2 letters.Provider information is required.',
    );
  });

  test('Done includes the filled-in provider, added or not', async () => {
    accept();
    const router = await open({ FTIN: '12-3456789', 'Provider Name': 'Lakeside Orthopedics' });
    await done();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/registrationComplete'));
    expect(sent().at(-1)?.body).toMatchObject({
      providerList: [{ ftin: '123456789', providerName: 'Lakeside Orthopedics' }],
    });
  });

  test('Done lists what a partly filled-in provider needs', async () => {
    await open({ FTIN: '12345' });
    await done();
    expect(await message()).toBe('Check these fields:Provider information is required.');
    expect(screen.getByText('Enter 9 digit FTIN.')).toBeTruthy();
    expect(screen.getByText('Provider name is required.')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  test('limits the input length', async () => {
    await open({ Affiliation: 'OTHER' });
    const limits = [
      ['Authentication Code', 23],
      ['Other Affiliation', 80],
      ['First Name', 40],
      ['Last Name', 40],
      ['Middle Initial', 1],
      ['Phone Number', 14],
      ['Job Title', 128],
      ['Company Name', 128],
      ['Company URL', 128],
      ['FTIN', 9],
      ['Provider Name', 128],
    ] as const;
    expect(limits.map(([name]) => [name, readMaxLength(field(name))])).toEqual(limits);
  });

  test('Done ignores a second click while it runs; Cancel goes to sign-in', async () => {
    neverRespond();
    const router = await open();
    await addProvider();
    await userEvent.dblClick(button('Done'));
    expect(button('Done').disabled).toBe(true);
    expect(sent()).toHaveLength(1);
    await userEvent.click(button('Cancel'));
    expect(router.state.location.pathname).toBe('/login');
  });
});

describe('the provider', () => {
  test.each([
    ['12345678', 'Lakeside', 'Enter 9 digit FTIN.'],
    ['12345678x', 'Lakeside', 'Enter 9 digit FTIN.'],
    ['123456789', ' L ', 'Provider name is required.'],
  ])("isn't added as %j, %j", async (ftin, name, text) => {
    await open();
    await addProvider(ftin, name);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Providers' })).toBeNull();
  });

  test('is only one; it can be removed and another added', async () => {
    await open();
    await addProvider();
    expect((await screen.findByRole('list', { name: 'Providers' })).textContent).toContain(
      'Lakeside OrthopedicsFTIN 123456789',
    );
    expect(button('Add').disabled).toBe(true);
    await userEvent.click(button('Remove Lakeside Orthopedics'));
    expect(button('Add').disabled).toBe(false);
    expect(screen.queryByRole('list', { name: 'Providers' })).toBeNull();
    await addProvider('987654321', 'Hilltop Imaging');
    expect(await screen.findByText('Hilltop Imaging')).toBeTruthy();
  });

  test("is added with Enter, which doesn't submit the form", async () => {
    await open();
    fill({ FTIN: '123456789' });
    await userEvent.type(field('Provider Name'), 'Lakeside Orthopedics{Enter}');
    expect(await screen.findByRole('list', { name: 'Providers' })).toBeTruthy();
    expect(sent()).toEqual([]);
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });
});

describe('the server', () => {
  async function send() {
    await open();
    await addProvider();
    await done();
  }

  test.each(['INVALID_TOKEN', 'INVALID_TOKEN: used'])('%s is shown on the code', async (code) => {
    respondWithError(400, code);
    await send();
    const text = 'This authentication code has already been used or is invalid.';
    expect(await message()).toBe(`Check these fields:${text}`);
    expect(field('Authentication Code').getAttribute('aria-invalid')).toBe('true');
  });

  test('names fields', async () => {
    respondWithError(400, 'Some values are not valid.', [
      { path: 'phoneNumber', code: 'INVALID', message: 'A valid Phone Number is required.' },
      { path: 'providerList', code: 'INVALID', message: 'Enter 9 digit FTIN.' },
    ]);
    await send();
    expect(await message()).toBe('Check these fields:A valid Phone Number is required.Enter 9 digit FTIN.');
  });

  test('fails; no input is lost and it can be tried again', async () => {
    loseConnection();
    await send();
    expect(await message()).toBe(
      'There was an error processing your request. Please try again.If the problem persists, please email help@portal.example.',
    );
    expect(field('Job Title').value).toBe('Office Manager');
    expect(screen.getByRole('list', { name: 'Providers' })).toBeTruthy();
    // Each error shows on its own.
    fill({ 'Job Title': '' });
    await done();
    await screen.findByText(/^Check these fields/);
    expect(screen.queryByText(/^There was an error/)).toBeNull();
    fill({ 'Job Title': 'Biller' });
    respondWithError(400, 'INVALID_TOKEN');
    await done();
    expect(await message()).toMatch(/code has already been used or is invalid\.$/);
    loseConnection();
    await done();
    await screen.findByText(/^There was an error/);
    expect(screen.queryByText(/^Check these fields/)).toBeNull();
    respondWithError(400, 'INVALID_TOKEN');
    await done();
    await screen.findByText(/^Check these fields/);
    expect(screen.queryByText(/^There was an error/)).toBeNull();
    accept();
    await done();
    await vi.waitFor(() => expect(screen.queryByRole('group', { name: 'Message' })).toBeNull());
  });
});

test('the thanks link to sign-in', async () => {
  const router = await openScreen(RegistrationCompleteScreen);
  expect(screen.getByRole('status').textContent).toBe(
    'Thank you for your request. Your application has been successfully received and is currently under review by our support team.',
  );
  await userEvent.click(button('Done'));
  expect(router.state.location.pathname).toBe('/login');
});
