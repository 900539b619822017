import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { onSessionChange, type SessionChange } from '@/api/session';
import { type Answer, type Call, fakeServer, makeSession, type Reply } from '@/api/testing';
import { readMaxLength } from '@/ui/form/testing';
import type { Details } from './profile';
import { field, listed, makeDetails, mirroring, show } from './profileTesting';
import UserProfileScreen from './UserProfileScreen';

const generic = 'Error: An error has occurred. Please try again or contact Customer Service.';
const addressAll = 'An error has occurred. Please address all fields marked with “Error”.';

let calls: Call[];
const changes: SessionChange[] = [];
let leave = () => {};

beforeEach(() => {
  changes.length = 0;
  leave = onSessionChange((change) => changes.push(change));
});
afterEach(() => {
  leave();
});

const load = 'GET /users/userByName/prad.demo';

async function open(account: Partial<Details> = {}, saved: Reply<'success'> = { body: 'success' }) {
  calls = fakeServer({
    [load]: { body: makeDetails(account) },
    'PUT /users/updateUser': saved,
    'GET /session': { body: makeSession() },
  });
  show(UserProfileScreen);
  await screen.findByLabelText('Username');
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'SAVE' }));
const sent = () => calls.filter(({ call }) => call === 'PUT /users/updateUser');
const message = async () => (await screen.findByRole('group', { name: 'Message' })).textContent;

/** Replaces a field's text in one step, ignoring the field's typing limits. */
async function put(label: string, text: string) {
  const input = field(label);
  input.removeAttribute('maxlength');
  await userEvent.clear(input);
  if (text) {
    await userEvent.click(input);
    await userEvent.paste(text);
  }
}

describe('loading', () => {
  it('shows the failure, and the profile after a retry', async () => {
    calls = fakeServer({ [load]: { status: 500 } });
    show(UserProfileScreen);
    expect((await screen.findByRole('alert')).textContent).toBe(generic);
    calls = fakeServer({ [load]: { body: makeDetails() } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(field('First Name').value).toBe('Paula'));
  });

  it("shows that it's loading", async () => {
    fakeServer({ [load]: () => new Promise(() => {}) });
    show(UserProfileScreen);
    expect(await screen.findByText('Please wait while we retrieve data.')).toBeTruthy();
  });
});

describe('the fields', () => {
  it.each(['PRAD', 'PRUS', 'NNUS'] as const)('of %s include the affiliation and the work', async (typeCd) => {
    await open({ typeCd });
    expect(screen.getAllByRole('textbox').map(({ id }) => id.replace(/^form\d+-/, ''))).toEqual([
      expect.anything(),
      'userFirstName',
      'userMidName',
      'userLastName',
      'phoneNum',
      'emailAddr',
      'jobTitle',
      'companyNm',
      'companyUrl',
    ]);
    const options = [...(field('Affiliation') as unknown as HTMLSelectElement).options];
    expect(options.map(({ value, text }) => [value, text])).toEqual([
      ['', 'Select One'],
      ['OFC_STAFF', 'Provider Office Staff'],
      ['BILLING_CO', 'Billing Company'],
      ['OTHER', 'Other'],
    ]);
    expect(screen.queryByLabelText(/Employee ID/)).toBeNull();
    expect(screen.queryByLabelText(/Other Description/)).toBeNull();
  });

  it.each(['ROAD', 'ROUS'] as const)('of %s include the work without an affiliation', async (typeCd) => {
    await open({ typeCd, affiliationCd: '', jobTitle: '', companyNm: '' });
    expect(screen.queryByLabelText(/Affiliation/)).toBeNull();
    await save();
    expect(await listed()).toEqual(['Error: Enter a valid Job Title', 'Error: Enter a valid company Name']);
  });

  it.each(['IRAD', 'ISAD'] as const)(
    "of %s show the employee ID, which its owner can't change",
    async (typeCd) => {
      await open({
        typeCd,
        internalStaffFlag: true,
        employeeId: 'E-1',
        affiliationCd: '',
        jobTitle: '',
        companyNm: '',
      });
      expect(field('Employee ID').value).toBe('E-1');
      expect(field('Employee ID').readOnly).toBe(true);
      expect(screen.queryByLabelText(/Job Title|Affiliation/)).toBeNull();
      await save();
      expect(await message()).toBe('Your profile was successfully updated.');
      expect(sent()[0]?.body).toMatchObject({ employeeId: 'E-1' });
    },
  );

  it('show the read-only username, and the phone number with hyphens', async () => {
    await open();
    expect(field('Username').value).toBe('prad.demo');
    expect(field('Username').readOnly).toBe(true);
    expect(field('Phone Number').value).toBe('212-555-0100');
  });

  it('limit the number of characters', async () => {
    await open({ affiliationCd: 'OTHER', affiliationDesc: 'Agent' });
    for (const [label, most] of [
      ['First Name', 40],
      ['Last Name', 40],
      ['Middle Initial', 1],
      ['Phone Number', 15],
      ['Email Address', 120],
      ['Other Description', 40],
      ['Job Title', 120],
      ['Company Name', 120],
      ['Company URL', 120],
    ] as const)
      expect(readMaxLength(field(label)), label).toBe(most);
  });
});

describe('an invalid value', () => {
  test.each([
    ['First Name', '', 'Error: Enter valid First Name'],
    ['First Name', '  ', 'Error: Enter valid First Name'],
    ['First Name', 'x'.repeat(41), 'Error: Enter valid First Name'],
    ['Last Name', '', 'Error: Enter valid Last Name'],
    ['Last Name', 'x'.repeat(41), 'Error: Enter valid Last Name'],
    ['Middle Initial', 'Th', 'Error: Enter Middle Initial'],
    ['Phone Number', '', 'Error: Enter a valid numeric Phone Number'],
    ['Phone Number', '212-555-010', 'Error: Enter a valid numeric Phone Number'],
    ['Phone Number', '2125550100 x1', 'Error: Enter a valid numeric Phone Number'],
    ['Phone Number', '1234567890123456', 'Error: Enter a valid numeric Phone Number'],
    ['Email Address', '', 'Error: Enter a valid Email Address'],
    ['Email Address', 'paula@example', 'Error: Enter a valid Email Address'],
    ['Email Address', `${'p'.repeat(110)}@example.com`, 'Error: Enter a valid Email Address'],
    ['Job Title', '', 'Error: Enter a valid Job Title'],
    ['Job Title', 'x'.repeat(121), 'Error: Enter a valid Job Title'],
    ['Company Name', '', 'Error: Enter a valid company Name'],
    ['Company Name', 'x'.repeat(121), 'Error: Enter a valid company Name'],
    ['Company URL', 'x'.repeat(121), 'Error: Use 120 characters or fewer'],
    ['Other Description', '', 'Error: Enter Other Desc'],
    ['Other Description', 'x'.repeat(41), 'Error: Use 40 characters or fewer'],
  ])('%s "%s" is rejected', async (label, text, error) => {
    await open({ affiliationCd: 'OTHER', affiliationDesc: 'Agent' });
    await put(label, text);
    await save();
    expect(await listed()).toEqual([error]);
    expect(await message()).toContain(addressAll);
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(sent()).toEqual([]);
  });

  test("a longer stored value is saved unchanged, until it's edited", async () => {
    const stored = { affiliationDesc: 'd'.repeat(80), jobTitle: 'j'.repeat(128) };
    await open({ affiliationCd: 'OTHER', ...stored });
    await put('First Name', 'Pauline');
    expect(screen.queryByText(/At most/)).toBeNull();
    await save();
    await waitFor(() => expect(sent()[0]?.body).toMatchObject(stored));
    await put('Other Description', 'd'.repeat(79));
    expect(screen.getByText('Error: Use 40 characters or fewer')).toBeTruthy();
  });

  test('a missing affiliation is rejected', async () => {
    await open({ affiliationCd: '' });
    await save();
    expect(await listed()).toEqual(['Error: Select Affiliation']);
  });

  test("a missing description isn't a problem after the affiliation changes", async () => {
    await open({ affiliationCd: 'OTHER', affiliationDesc: '' });
    await save();
    expect(await listed()).toEqual(['Error: Enter Other Desc']);
    await userEvent.selectOptions(field('Affiliation'), 'BILLING_CO');
    expect(screen.queryByText('Error: Enter Other Desc')).toBeNull();
  });

  test("all of them are listed in the page's order", async () => {
    await open({
      userFirstName: '',
      userLastName: '',
      phoneNum: '',
      emailAddr: '',
      affiliationCd: '',
      jobTitle: '',
      companyNm: '',
    });
    await save();
    expect(await listed()).toEqual([
      'Error: Enter valid First Name',
      'Error: Enter valid Last Name',
      'Error: Enter a valid numeric Phone Number',
      'Error: Enter a valid Email Address',
      'Error: Select Affiliation',
      'Error: Enter a valid Job Title',
      'Error: Enter a valid company Name',
    ]);
  });
});

describe('saving', () => {
  const update = {
    id: 1,
    userNm: 'prad.demo',
    userFirstName: 'Paula',
    userLastName: 'Reyes',
    userMidName: 'T',
    emailAddr: 'paula@example.com',
    phoneNum: '2125550100',
    employeeId: null,
    affiliationCd: 'OFC_STAFF',
    affiliationDesc: '',
    jobTitle: 'Billing Manager',
    companyNm: 'Lakeside',
    companyUrl: null,
  };

  it('shows that a new address takes effect after its link, and the current one stays', async () => {
    await open();
    await put('Email Address', 'new@example.com');
    await save();
    expect(await message()).toBe(
      'Your profile was successfully updated. We sent a confirmation link to the new address. It takes effect after you confirm it.',
    );
    expect(field('Email Address').value).toBe(makeDetails().emailAddr);
    expect(screen.getByText('Open the link we sent to new@example.com to confirm it.')).toBeTruthy();
    await put('First Name', 'Eve');
    await save();
    expect(await message()).toBe('Your profile was successfully updated.');
  });

  it('shows the address that needs its link', async () => {
    await open({ newEmailAddr: 'new@example.com' });
    expect(screen.getByText('Open the link we sent to new@example.com to confirm it.')).toBeTruthy();
  });

  it("doesn't ask to confirm an address that is confirmed in the meantime", async () => {
    let confirmed = false;
    calls = fakeServer({
      [load]: () => ({
        body: makeDetails(
          confirmed
            ? { emailAddr: 'new@example.com', version: 'two' }
            : { newEmailAddr: 'new@example.com', version: 'one' },
        ),
      }),
      'PUT /users/updateUser': (body) => {
        confirmed = true;
        return (body as Partial<Details>).version === 'two'
          ? { body: 'success' }
          : {
              status: 409,
              body: {
                code: 'STALE',
                version: 'two',
                fields: [{ path: 'emailAddr', code: 'CHANGED', message: '', value: 'new@example.com' }],
              },
            };
      },
      'GET /session': { body: makeSession() },
    });
    show(UserProfileScreen);
    const hint = /^Open the link we sent to/;
    expect(await screen.findByText(hint)).toBeTruthy();
    await save();
    await userEvent.click(await screen.findByRole('button', { name: 'Use theirs' }));
    expect(field('Email Address').value).toBe('new@example.com');
    expect(screen.queryByText(hint)).toBeNull();
    await save();
    expect(await message()).toBe('Your profile was successfully updated.');
    expect(screen.queryByText(hint)).toBeNull();
  });

  it('shows an address that someone else entered in the meantime', async () => {
    let pending = 'first@example.com';
    calls = fakeServer({
      [load]: () => ({ body: makeDetails({ newEmailAddr: pending }) }),
      'PUT /users/updateUser': { body: 'success' },
      'GET /session': { body: makeSession() },
    });
    show(UserProfileScreen);
    await screen.findByText('Open the link we sent to first@example.com to confirm it.');
    pending = 'second@example.com';
    await save();
    await message();
    expect(screen.getByText('Open the link we sent to second@example.com to confirm it.')).toBeTruthy();
  });

  it.each<[string, Reply<'success'>, string | undefined]>([
    ['removes the hint', { body: 'success' }, undefined],
    [
      'says that the change is no longer pending',
      { status: 409, body: { status: 409, code: 'CONFLICT', message: 'This change is no longer pending.' } },
      'Error: This change is no longer pending.',
    ],
  ])('cancels a change of the address: %s', async (_, answer, failure) => {
    calls = fakeServer({
      [load]: { body: makeDetails({ newEmailAddr: 'typo@example.com' }) },
      'DELETE /users/emailChange/prad.demo': answer,
    });
    show(UserProfileScreen);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel this change' }));
    if (failure) expect((await screen.findByRole('alert')).textContent).toContain(failure);
    else await waitFor(() => expect(screen.queryByText(/^Open the link we sent to/)).toBeNull());
  });

  it('replaces the message about a new address after its cancellation', async () => {
    calls = fakeServer({
      [load]: { body: makeDetails() },
      'PUT /users/updateUser': { body: 'success' },
      'DELETE /users/emailChange/prad.demo': { body: 'success' },
      'GET /session': { body: makeSession() },
    });
    show(UserProfileScreen);
    await screen.findByRole('textbox', { name: 'Email Address' });
    await put('Email Address', 'typo@example.com');
    await save();
    expect(await message()).toMatch(/It takes effect after you confirm it\.$/);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel this change' }));
    await waitFor(async () => expect(await message()).toBe('The email address change was canceled.'));
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Message' }));
    await put('First Name', 'Eve');
    expect(screen.queryByRole('group', { name: 'Message' })).toBeNull();
  });

  it('changes the address of an unregistered account immediately', async () => {
    await open({ statusCd: 'NEW' });
    await put('Email Address', 'new@example.com');
    await save();
    expect(await message()).toBe('Your profile was successfully updated.');
    expect(field('Email Address').value).toBe('new@example.com');
  });

  it('sends the profile, shows a message and reloads the session', async () => {
    await open();
    await put('First Name', '  Ana  Maria ');
    await put('Phone Number', '(216) 555-0176');
    await put('Company URL', 'https://lakeside.example');
    await save();
    expect(await message()).toBe('Your profile was successfully updated.');
    expect(sent().map(({ body }) => body)).toEqual([
      {
        ...update,
        userFirstName: 'Ana Maria',
        phoneNum: '2165550176',
        companyUrl: 'https://lakeside.example',
      },
    ]);
    expect(field('Phone Number').value).toBe('216-555-0176');
    expect(changes).toEqual([{ type: 'changed' }]);
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Message' }));

    await put('First Name', 'Eve');
    expect(screen.queryByText('Your profile was successfully updated.')).toBeNull();
  });

  it('sends the description of another affiliation, and drops it with that affiliation', async () => {
    await open({ affiliationCd: 'OTHER', affiliationDesc: 'Agent' });
    await save();
    await message();
    await userEvent.selectOptions(field('Affiliation'), 'BILLING_CO');
    await save();
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().map(({ body }) => body)).toEqual([
      { ...update, affiliationCd: 'OTHER', affiliationDesc: 'Agent' },
      { ...update, affiliationCd: 'BILLING_CO', affiliationDesc: '' },
    ]);
  });

  it('sends once, however often SAVE is clicked', async () => {
    let answer = (_: Answer<'success'>) => {};
    await open({}, () => new Promise<Answer<'success'>>((resolve) => (answer = resolve)));
    await save();
    const button = screen.getByRole('button', { name: 'SAVE' });
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
    await save();
    answer({ body: 'success' });
    await message();
    expect(sent()).toHaveLength(1);
  });

  it("stays saved when the session can't be reloaded", async () => {
    calls = fakeServer({
      [load]: { body: makeDetails() },
      'PUT /users/updateUser': { body: 'success' },
      'GET /session': { status: 500 },
    });
    show(UserProfileScreen);
    await screen.findByLabelText('Username');
    await save();
    expect(await message()).toBe('Your profile was successfully updated.');
  });

  it("shows the server's problem on its field, and preserves the input", async () => {
    const taken = 'This email address belongs to another account. Enter a different one.';
    await open(
      {},
      {
        status: 409,
        body: {
          code: 'CONFLICT',
          message: taken,
          fields: [{ path: 'emailAddr', code: 'EMAIL_EXISTS', message: `Error: ${taken}` }],
        },
      },
    );
    await put('Email Address', 'taken@example.com');
    await save();
    expect(await listed()).toEqual([`Error: ${taken}`]);
    expect(field(/^Email Address/).getAttribute('aria-invalid')).toBe('true');
    expect(field(/^Email Address/).value).toBe('taken@example.com');
    expect(changes).toEqual([]);
  });

  it('shows the employee ID as rejected, with the generic error', async () => {
    await open(
      { typeCd: 'ISAD', internalStaffFlag: true },
      { status: 400, body: { code: 'INVALID_ENLYTE_EMPLOYEE_ID', message: 'INVALID_ENLYTE_EMPLOYEE_ID' } },
    );
    await save();
    expect(await listed()).toEqual(['Error: Enter a valid Employee ID']);
    expect(await message()).toContain(generic);
  });

  it.each([
    [
      'another message',
      { status: 409, body: { code: 'CONFLICT', message: 'The account has been terminated.' } },
      'Error: The account has been terminated.',
    ],
    ['no message', { status: 502 }, generic],
  ])('shows %s', async (_, reply, text) => {
    await open({}, reply);
    await put('First Name', 'Ana');
    await save();
    expect(await message()).toBe(text);
    expect(field('First Name').value).toBe('Ana');
  });

  it('shows the generic error when the server is unreachable', async () => {
    await open({}, () => Promise.reject(new TypeError('Failed to fetch')));
    await save();
    expect(await message()).toBe(generic);
  });
});

test("while mirroring, the mirrored user's profile is read-only", async () => {
  calls = fakeServer({ [load]: { body: makeDetails() } });
  show(UserProfileScreen, mirroring);
  await screen.findByLabelText('Username');
  expect(screen.getByText(/^You can view the profile of Paula Reyes but not change it/)).toBeTruthy();
  for (const input of screen.getAllByRole<HTMLInputElement>('textbox')) expect(input.readOnly).toBe(true);
  expect(field('Affiliation').value).toBe('Provider Office Staff');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' }).disabled).toBe(true);
});

test.each([
  [['tins.sharing'], '/TinSharing'],
  [['tins.decide'], '/TinSharing'],
  [['tins.manage'], undefined],
])('links to shared TINs for affected users: %s', async (permissions, href) => {
  calls = fakeServer({ [load]: { body: makeDetails() } });
  show(UserProfileScreen, makeSession({ permissions }));
  await screen.findByLabelText('Username');
  expect(screen.queryByRole('link', { name: 'TIN sharing' })?.getAttribute('href')).toBe(href);
});

test('links to the password', async () => {
  await open();
  await userEvent.click(screen.getByRole('link', { name: 'Change Password' }));
  expect(await screen.findByRole('heading', { name: 'Changing' })).toBeTruthy();
});
