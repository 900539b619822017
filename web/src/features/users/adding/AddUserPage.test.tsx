import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { components } from '@/api/schema';
import { type Answer, configure } from '@/api/testing';
import type { UserRow } from '@/shared/accounts';
import { hasUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import AddUserPage from './AddUserPage';
import {
  asked,
  button,
  field,
  fill,
  fillPerson,
  fillWork,
  groups,
  irad,
  isad,
  listed,
  makeRow,
  makeTin,
  message,
  mirroring,
  prad,
  press,
  server,
  show,
  startServer,
} from './testing';

beforeEach(startServer);

const create = 'PUT /users/createUser';
const save = 'PUT /users/saveDraftUser';
const open = async (...[session = isad, where]: [typeof isad?, Parameters<typeof show>[3]?]) => {
  const visit = await show('/AddUser', AddUserPage, session, where);
  await screen.findByLabelText(/^Account Type/);
  return visit;
};
const choose = (typeCd: string) => userEvent.selectOptions(field('Account Type'), typeCd);
const existing = () => userEvent.click(screen.getByRole('radio', { name: 'Existing' }));
const body = async (call: string) => {
  await waitFor(() => expect(server.sent(call)).toHaveLength(1));
  return server.sent(call)[0]?.body;
};
const has = (name: string) => screen.queryByRole('button', { name }) !== null;

test.each([
  ['to create a password', {}],
  ['to confirm the account', { outsideSignIn: true }],
  ['to create a password', { outsideSignIn: true, legacySignIn: true }],
])('shows that the email links %s', async (where, settings) => {
  await configure(settings);
  startServer();
  await open();
  const lead = screen.getByText(/^New users get an email with a link/).textContent;
  await configure();
  expect(lead).toContain(where);
});

describe('the account types', () => {
  test("are the server's, after Select One", async () => {
    await open();
    expect([...field('Account Type').querySelectorAll('option')].map(({ text }) => text)).toEqual([
      'Select One',
      'Provider Admin',
      'Provider User',
      'Non-Network User',
      'Internal Read-Only Admin',
      'Internal System Admin',
      'Roster Admin',
      'Roster User',
    ]);
    expect(asked('First Name')).toBe(false);
    await choose('PRAD');
    expect(asked('First Name')).toBe(true);
    await choose('');
    expect(asked('First Name')).toBe(false);
  });

  const everyone = ['First Name', 'Middle Initial', 'Last Name', 'Phone Number', 'Email Address'];
  const others = [
    'Group ID',
    'Employee ID',
    'Affiliation',
    'Job Title',
    'Company Name',
    'Company URL',
    'Tax ID Number (TIN)',
  ];
  test.each([
    ['PRAD', ['Affiliation', 'Job Title', 'Company Name', 'Company URL'], true],
    ['PRUS', ['Group ID', 'Affiliation', 'Job Title', 'Company Name', 'Company URL'], false],
    ['NNUS', ['Affiliation', 'Job Title', 'Company Name', 'Company URL', 'Tax ID Number (TIN)'], false],
    ['IRAD', ['Employee ID'], false],
    ['ISAD', ['Employee ID'], false],
    ['ROAD', ['Job Title', 'Company Name'], true],
    ['ROUS', ['Group ID', 'Job Title', 'Company Name'], false],
  ])('show %s their own fields', async (typeCd, expected, assignment) => {
    await open();
    await choose(typeCd);
    expect(everyone.filter(asked)).toEqual(everyone);
    expect(others.filter(asked)).toEqual(expected);
    expect(screen.queryByRole('group', { name: 'Group Assignment' }) !== null).toBe(assignment);
    expect(has('Add TIN Provider')).toBe(typeCd === 'PRAD');
  });

  test('show fields in this order', async () => {
    await open();
    await choose('PRUS');
    expect([...document.querySelectorAll('form label')].map(({ textContent }) => textContent)).toEqual([
      'Account Type*',
      'First Name*',
      'Last Name*',
      'Middle Initial',
      'Phone Number*',
      'Email Address*',
      'Group ID*',
      'Affiliation*',
      'Job Title*',
      'Company Name*',
      'Company URL',
    ]);
  });

  test('mark required fields with an asterisk', async () => {
    await open();
    await choose('PRAD');
    const marked = (label: string) => screen.queryByLabelText(new RegExp(`^${label}\\*$`)) !== null;
    expect(['First Name', 'Phone Number', 'Affiliation', 'Job Title', 'Company Name'].every(marked)).toBe(
      true,
    );
    expect(['Middle Initial', 'Company URL'].some(marked)).toBe(false);
  });

  test('clear TINs and groups when changed', async () => {
    await open();
    await choose('PRUS');
    fill('Group ID', '7');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 111111111' }));
    await choose('ROUS');
    expect(field('Group ID').value).toBe('');
    await choose('PRUS');
    fill('Group ID', '7');
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select 111111111' });
    expect(box.checked).toBe(false);
  });
});

describe('the buttons', () => {
  const state = () => ({
    create: !button('CREATE USER').disabled,
    draft: !button('SAVE AS DRAFT').disabled,
    complete: has('COMPLETE PROFILE'),
    next: has('NEXT'),
    cancel: has('CANCEL'),
    reset: has('RESET'),
  });
  const ordinary = { create: true, draft: false, complete: false, next: false, cancel: false, reset: true };
  const roster = { ...ordinary, create: false, draft: true };

  test.each(['PRAD', 'PRUS', 'NNUS', 'IRAD', 'ISAD'])('of %s create', async (typeCd) => {
    await open();
    await choose(typeCd);
    expect(state()).toEqual(ordinary);
  });

  test('of ROAD continue to the sources of a new group, or complete in an existing one', async () => {
    await open();
    await choose('ROAD');
    expect(state()).toEqual({ ...roster, next: true });
    await existing();
    expect(state()).toEqual({ ...roster, complete: true });
    expect(asked('Group ID')).toBe(true);
    fill('Group ID', '7');
    await userEvent.click(screen.getByRole('radio', { name: 'New' }));
    expect(asked('Group ID')).toBe(false);
    await existing();
    expect(field('Group ID').value).toBe('');
  });

  test('of ROUS save a draft or complete', async () => {
    await open();
    await choose('ROUS');
    expect(state()).toEqual({ ...roster, complete: true });
  });

  test.each([
    ['ROAD', { ...roster, next: true, cancel: true }],
    ['ROUS', { ...roster, complete: true, cancel: true }],
    ['PRUS', { ...ordinary, cancel: true }],
  ])('of a draft %s', async (typeCd, expected) => {
    await open(isad, { state: { mode: 'draftUser', user: makeRow({ typeCd: typeCd as 'ROAD' }) } });
    expect(state()).toEqual(expected);
  });

  test('for a terminated account are those of a new user', async () => {
    const user = makeRow({
      id: 5,
      statusCd: 'TERM',
      typeCd: 'PRAD',
      affiliationCd: 'OFC_STAFF',
      grpInfoId: 7,
    });
    await open(isad, { state: { mode: 'anew', user } });
    expect(screen.getByText(/The terminated account won't change/)).toBeTruthy();
    expect(state()).toEqual(ordinary);
    expect(field('First Name').value).toBe(user.userFirstName);
    expect(field('Email Address').value).toBe(user.emailAddr);
    await userEvent.click(button('CREATE USER'));
    await vi.waitFor(() => expect(server.sent(create)).toHaveLength(1));
    const { body } = server.sent(create)[0] ?? {};
    expect(body).toMatchObject({ userLastName: user.userLastName, typeCd: 'PRAD', grpInfoId: 7 });
    expect(body).not.toHaveProperty('id');
  });

  test('do nothing while mirroring, and the screen shows why', async () => {
    await open(mirroring);
    expect(screen.getByText("You can't add users while mirroring. Use Revert first.")).toBeTruthy();
    for (const name of ['CREATE USER', 'SAVE AS DRAFT', 'RESET']) expect(button(name).disabled).toBe(true);
    expect(field('Account Type').closest('fieldset')?.disabled).toBe(true);
  });

  test('are disabled while a request runs, and enabled afterwards', async () => {
    let reply = (_: Answer<UserRow>) => {};
    server.replies[create] = () =>
      new Promise((resolve) => {
        reply = resolve;
      });
    await open();
    await fillPerson('ISAD');
    fill('Employee ID', 'E1');
    await userEvent.dblClick(button('CREATE USER'));
    expect(button('CREATE USER').getAttribute('aria-disabled')).toBe('true');
    expect(button('RESET').disabled).toBe(true);
    expect(server.sent(create)).toHaveLength(1);
    reply({ status: 500 });
    await waitFor(() => expect(button('RESET').disabled).toBe(false));
    expect(button('CREATE USER').getAttribute('aria-disabled')).toBeNull();
  });
});

describe('CREATE USER', () => {
  test('sends a provider admin with a new group and opens the users', async () => {
    const visit = await open();
    await fillPerson('PRAD');
    await fillWork();
    screen.getByText(/Without a TIN, the group's users can't find bills\.$/);
    await press('CREATE USER');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ message: 'User has been successfully created!', groupId: 7 });
    expect(await body(create)).toMatchObject({
      typeCd: 'PRAD',
      phoneNum: '2165550100',
      grpInfoId: null,
      mgrUserInfoId: 9,
      statusDesc: 'isad.demo',
      userFtins: [],
      affiliationCd: 'OFC_STAFF',
    });
    // Only the server checks the email.
    expect(server.calls.filter(({ call }) => call.includes('checkEmail'))).toEqual([]);
  });

  test('lists every problem under the banner', async () => {
    await open();
    await press('CREATE USER');
    expect(await message()).toContain(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    expect(await listed()).toEqual(['Error: Select Account Type']);
    await choose('PRUS');
    await press('CREATE USER');
    expect(await listed()).toEqual([
      'Error: Enter valid First Name',
      'Error: Enter valid Last Name',
      'Error: Enter a valid Phone Number',
      'Error: Enter a valid Email Address',
      'Error: Enter a valid group Id',
      'Error: Select Affiliation',
      'Error: Enter a valid Job Title',
      'Error: Enter a valid Company Name',
    ]);
    // Its table loads with the group.
    expect(await message()).toContain('Error: Select TIN');
    expect(server.sent(create)).toEqual([]);
    fill('Affiliation', 'OTHER');
    await press('CREATE USER');
    expect(await listed()).toContain('Error: Enter Other Desc');
    fill('Affiliation', 'OFC_STAFF');
    expect(await message()).not.toContain('Error: Enter Other Desc');
  });

  const exists = 'Error: The Email Address is associated to another account';
  test('shows a taken email on its field', async () => {
    server.replies[create] = {
      status: 409,
      body: { message: exists, fields: [{ path: 'emailAddr', code: 'EMAIL_EXISTS', message: exists }] },
    };
    await open();
    await fillPerson('ISAD');
    fill('Employee ID', 'E1');
    await press('CREATE USER');
    expect(await listed()).toEqual([exists]);
    expect(field('Email Address').getAttribute('aria-invalid')).toBe('true');
  });

  test.each([
    [
      { status: 500, body: { message: 'Something is wrong.' } },
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
    [
      { status: 403, body: { message: 'This is not allowed.' } },
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
    [
      { status: 400, body: { message: 'A_CODE' } },
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
    [
      { status: 409, body: { message: 'This request was answered already.' } },
      'This request was answered already.',
    ],
  ])('shows the failure %#', async (reply, text) => {
    server.replies[create] = reply;
    await open();
    await fillPerson('ISAD');
    fill('Employee ID', 'E1');
    await press('CREATE USER');
    expect(await message()).toBe(text);
    expect(field('First Name').value).toBe('Ada');
  });
});

describe('a provider user', () => {
  test('gets TINs from the group', async () => {
    await open();
    await fillPerson('PRUS');
    await fillWork();
    expect(screen.getByText('Enter a Group ID to see its TINs.')).toBeTruthy();
    fill('Group ID', '7');
    await screen.findByRole('table', { name: 'TINs in group 7' });
    await press('CREATE USER');
    expect(await listed()).toEqual(['Error: Select TIN']);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select 222222222' }));
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ grpInfoId: 7, userFtins: [{ ftin: '222222222' }] });
    expect(server.calls.find(({ call }) => call.endsWith('groupFtins/7'))?.query).toBe('?activeFlag=true');
  });

  test('in a group without TINs has none to select', async () => {
    server.replies['GET /ftin/groupFtins/8'] = { body: [] };
    await open();
    await choose('PRUS');
    fill('Group ID', '8');
    expect(await screen.findByText('There are no Tax IDs (TINs) under this Group ID.')).toBeTruthy();
  });

  test("immediately shows which group it is, or why it's impossible", async () => {
    await open();
    await choose('PRUS');
    fill('Group ID', '7');
    expect(await screen.findByText('Lakeside Clinic')).toBeTruthy();
    fill('Group ID', '99');
    expect(await screen.findByText("Error: Group 99 doesn't exist.")).toBeTruthy();
    expect(screen.queryByText(/^There are no Tax IDs/)).toBeNull();
    fill('Group ID', '1010');
    expect(
      await screen.findByText(
        'Error: This is a roster group, Lakes Rosters. The user needs a provider group.',
      ),
    ).toBeTruthy();
    await choose('ROUS');
    fill('Group ID', '1010');
    expect(await screen.findByText('Lakes Rosters')).toBeTruthy();
    expect(server.sent('GET /ftin/groupFtins/99')).toEqual([]);
  });

  test('can have the TINs loaded again', async () => {
    server.replies['GET /ftin/groupFtins/8'] = { status: 404 };
    await open();
    await choose('PRUS');
    fill('Group ID', '8');
    expect(await screen.findByText(/^Error: There was an error retrieving data/)).toBeTruthy();
    await press('Try again');
    await waitFor(() =>
      expect(server.calls.filter(({ call }) => call.endsWith('groupFtins/8'))).toHaveLength(2),
    );
  });

  test('is sent without a selected TIN that left the group', async () => {
    await open();
    await fillPerson('PRUS');
    await fillWork();
    fill('Group ID', '7');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 111111111' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select 222222222' }));
    const text = "This group doesn't have one of the TINs. Reload the list and try again.";
    server.replies[create] = { status: 400, body: { message: text } };
    server.replies['GET /ftin/groupFtins/7'] = { body: [makeTin('222222222')] };
    await press('CREATE USER');
    expect(await message()).toBe(text);
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select 111111111' })).toBeNull());
    expect(await message()).toBe(text);
    await press('CREATE USER');
    await waitFor(() => expect(server.sent(create)).toHaveLength(2));
    expect(server.sent(create)[1]?.body).toMatchObject({ userFtins: [{ ftin: '222222222' }] });
  });

  test('loses the TINs when the group changes', async () => {
    await open();
    await fillPerson('PRUS');
    await fillWork();
    fill('Group ID', '7');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select 111111111' }));
    fill('Group ID', '70');
    fill('Group ID', '7');
    await press('CREATE USER');
    expect(await listed()).toEqual(['Error: Select TIN']);
  });
});

test('a provider admin of an existing group sees all its TINs', async () => {
  await open();
  await fillPerson('PRAD');
  await fillWork();
  await existing();
  fill('Group ID', '7');
  const table = await screen.findByRole('table', { name: 'TINs in group 7' });
  expect(within(table).queryByRole('checkbox')).toBeNull();
  await press('CREATE USER');
  expect(await body(create)).toMatchObject({ grpInfoId: 7, userFtins: [] });
});

describe("a group's administrator", () => {
  test.each(['PRAD', 'PRUS'])('adds %s to their own group', async (typeCd) => {
    server.replies['PUT /users/getUserTypes'] = {
      body: [
        { userTypeCd: 'PRAD', userTypeDesc: 'Provider Admin' },
        { userTypeCd: 'PRUS', userTypeDesc: 'Provider User' },
      ],
    };
    await open(prad);
    await fillPerson(typeCd);
    await fillWork();
    expect(field('Group ID').value).toBe('7');
    expect(field('Group ID').readOnly).toBe(true);
    expect(screen.queryByRole('group', { name: 'Group Assignment' })).toBeNull();
    expect(has('Add TIN Provider')).toBe(false);
    await screen.findByRole('table', { name: 'TINs in group 7' });
    if (typeCd === 'PRUS') await userEvent.click(screen.getByRole('checkbox', { name: 'Select 111111111' }));
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ grpInfoId: 7, mgrUserInfoId: 1, statusDesc: 'prad.demo' });
  });

  test('requests no account requests', async () => {
    await open(prad, { address: '/AddUser?request=5' });
    expect(screen.getByText('Only system administrators can review account requests.')).toBeTruthy();
    expect(server.calls.filter(({ call }) => call.includes('accountRequests'))).toEqual([]);
  });
});

describe('the TINs of a non-network user', () => {
  const validate = (tin: string) => `GET /ftin/validateNonNetworkFtin/${tin}` as const;
  const add = async (tin: string) => {
    fill('Tax ID Number (TIN)', tin);
    await press('ADD');
  };
  const added = () => screen.queryAllByRole('button', { name: /^Remove/ }).map((each) => each.textContent);

  test.each([
    ['', 'Error: Enter a Tax ID Number (TIN)'],
    ['12345678x', 'Error: Enter a valid Tax ID Number (TIN)'],
    ['12345678', 'Error: Enter a 9-digit Tax ID Number (TIN)'],
  ])('are checked here first: %j', async (tin, text) => {
    await open();
    await choose('NNUS');
    await add(tin);
    expect(screen.getByText(text)).toBeTruthy();
    expect(server.calls.filter(({ call }) => call.includes('validate'))).toEqual([]);
    fill('Tax ID Number (TIN)', '1');
    expect(screen.queryByText(text)).toBeNull();
  });

  test.each([
    [
      'INVALID_FTIN_IN_NETWORK',
      /^Error: This TIN cannot be added because it is registered as In-network TIN\./,
    ],
    [
      'INVALID_FTIN_NO_BILLS_FOUND',
      /^Error: This TIN cannot be added because no bills exist in the system\./,
    ],
    ['FTIN_RESTRICTED_FOR_REGISTRATION', /^Error: Adding a TIN owned by our organization is not allowed\./],
    ['SOMETHING_ELSE', /^Error: An error has occurred\. Please try again or contact Customer Service\.$/],
  ])('are rejected by the server with %s', async (code, text) => {
    server.replies[validate('111111111')] = { status: 400, body: { message: code } };
    await open();
    await choose('NNUS');
    await add('111111111');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(added()).toEqual([]);
  });

  test('are listed once each, removed again, and sent with the user', async () => {
    for (const tin of ['111111111', '222222222']) server.replies[validate(tin)] = { body: 'success' };
    await open();
    await fillPerson('NNUS');
    await fillWork();
    await add('111111111');
    await waitFor(() => expect(added()).toEqual(['Remove 111111111']));
    expect(field('Tax ID Number (TIN)').value).toBe('');
    await add('111111111');
    expect(screen.getByText('You already added this TIN')).toBeTruthy();
    expect(server.sent(validate('111111111'))).toHaveLength(1);
    fill('Tax ID Number (TIN)', '222222222');
    await userEvent.type(field('Tax ID Number (TIN)'), '{Enter}');
    await waitFor(() => expect(added()).toHaveLength(2));
    await press('Remove 111111111');
    expect(added()).toEqual(['Remove 222222222']);
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ userFtins: [{ ftin: '222222222' }], grpInfoId: null });
    expect(server.calls.filter(({ call }) => /^(POST|DELETE)/.test(call))).toEqual([]);
  });

  test('that are removed or typed during a check stay so', async () => {
    server.replies[validate('111111111')] = { body: 'success' };
    let finish = () => {};
    server.replies[validate('222222222')] = () =>
      new Promise<Answer<'success'>>((resolve) => {
        finish = () => resolve({ body: 'success' });
      });
    await open();
    await choose('NNUS');
    await add('111111111');
    await waitFor(() => expect(added()).toEqual(['Remove 111111111']));
    await add('222222222');
    await waitFor(() => expect(server.sent(validate('222222222'))).toHaveLength(1));
    await press('Remove 111111111');
    fill('Tax ID Number (TIN)', '333333333');
    finish();
    await waitFor(() => expect(added()).toEqual(['Remove 222222222']));
    expect(field('Tax ID Number (TIN)').value).toBe('333333333');
  });

  test('require at least one, which can be the typed one', async () => {
    await open();
    await fillPerson('NNUS');
    await fillWork();
    await press('CREATE USER');
    expect(await listed()).toEqual(['Error: Enter a Tax ID Number (TIN)']);
    fill('Tax ID Number (TIN)', '111111111');
    server.replies[create] = { status: 400, body: { message: 'INVALID_FTIN_NO_BILLS_FOUND' } };
    await press('CREATE USER');
    await waitFor(async () => expect((await listed())[0]).toContain('because no bills exist'));
    expect(server.sent(create)[0]?.body).toMatchObject({ userFtins: [{ ftin: '111111111' }] });
  });
});

describe('Add TIN Provider', () => {
  const list = 'GET /provider/list/341234567';
  const wolfe = {
    ftin: '341234567',
    prvTaxId: '341234567',
    prvId: '20010',
    prvName: 'Wolfe, Hannah',
    prvProviderType: 'P',
  };
  const adams = {
    ftin: '341234567',
    prvTaxId: '341234567',
    prvId: '20011',
    prvName: 'adams, Jo',
    prvProviderType: 'X',
  };
  const dialog = () => within(screen.getByRole('dialog', { name: 'Add TIN Provider' }));
  const inside = (name: string) => dialog().getByRole('button', { name });
  const put = async (label: string, value: string) => {
    const box = dialog().getByLabelText(new RegExp(`^${label.replace(/[()]/g, '\\$&')}\\*?$`));
    await userEvent.clear(box);
    await userEvent.type(box, value);
  };
  const lookUp = async () => {
    await open();
    await fillPerson('PRAD');
    await fillWork();
    await press('Add TIN Provider');
    await screen.findByRole('dialog');
  };

  test("finds physicians by name, and adds the selected one's TIN", async () => {
    server.replies[list] = { body: [wolfe, adams] };
    await lookUp();
    await put('Tax ID Number (TIN)', '341234567');
    await put('Provider ID', '20');
    await put('First Name', 'Hannah');
    await put('Last Name', 'Wolfe');
    await userEvent.click(inside('Search'));
    const boxes = await dialog().findAllByRole<HTMLInputElement>('checkbox');
    expect(server.sent(list)[0]?.query).toBe('?prv-type=P&prv-id=20&phy-first-nm=Hannah&phy-last-nm=Wolfe');
    expect(boxes.map((box) => box.getAttribute('aria-label'))).toEqual([
      'Select adams, Jo',
      'Select Wolfe, Hannah',
    ]);
    expect(dialog().getByText('Hospital')).toBeTruthy();
    expect(dialog().queryByText(/^Only the first/)).toBeNull();
    server.replies[list] = { body: [wolfe, adams], headers: { 'X-Limited-To': '1000' } };
    await userEvent.click(inside('Search'));
    expect(await dialog().findByText(/^Only the first 1,000 providers are shown\. Narrow/)).toBeTruthy();

    await userEvent.click(inside('Add'));
    expect(dialog().getByText('Error: Please select one.')).toBeTruthy();
    await userEvent.click(dialog().getByRole('checkbox', { name: 'Select adams, Jo' }));
    expect(dialog().queryByText('Error: Please select one.')).toBeNull();
    await userEvent.click(dialog().getByRole('checkbox', { name: 'Select Wolfe, Hannah' }));
    expect(dialog().getByRole<HTMLInputElement>('checkbox', { name: 'Select adams, Jo' }).checked).toBe(
      false,
    );
    await userEvent.click(inside('Add'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('Wolfe, Hannah')).toBeTruthy();
    expect(server.sent(create)).toEqual([]);

    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ userFtins: [{ ftin: '341234567' }] });
  });

  test('finds facilities by name, and no TIN twice', async () => {
    server.replies[list] = { body: [wolfe] };
    await lookUp();
    for (const again of [false, true]) {
      if (again) await press('Add TIN Provider');
      await put('Tax ID Number (TIN)', '341234567');
      await put('First Name', 'Hannah');
      await userEvent.selectOptions(dialog().getByLabelText(/^Provider Type/), 'F');
      await put('Facility Name', 'Lakeside');
      await userEvent.click(inside('Search'));
      await userEvent.click(await dialog().findByRole('checkbox', { name: 'Select Wolfe, Hannah' }));
      await userEvent.click(inside('Add'));
    }
    expect(server.sent(list)[0]?.query).toBe('?prv-type=F&facility-nm=Lakeside');
    expect(dialog().getByText('You already added this TIN')).toBeTruthy();
    await userEvent.click(dialog().getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('shows when there is none, when it failed, and starts over', async () => {
    server.replies[list] = { body: [] };
    await lookUp();
    await userEvent.click(inside('Search'));
    expect(dialog().getByText('Error: Enter a Tax ID Number (TIN)')).toBeTruthy();
    await put('Tax ID Number (TIN)', '341234567');
    await userEvent.click(inside('Search'));
    expect(await dialog().findByText('No Providers found for the selected Tax ID')).toBeTruthy();
    server.replies[list] = { status: 500 };
    await userEvent.click(inside('Search'));
    expect(
      await dialog().findByText(
        'Error: There was an error retrieving data. Please try again or contact Customer Service.',
      ),
    ).toBeTruthy();
    await userEvent.click(inside('Reset'));
    await waitFor(() => expect(dialog().queryByText(/^Error/)).toBeNull());
    expect(dialog().getByLabelText<HTMLInputElement>(/^Tax ID Number/).value).toBe('');
  });

  test('rejects a TIN that nobody can register', async () => {
    server.replies[list] = { body: [wolfe] };
    server.replies[create] = { status: 400, body: { message: 'FTIN_RESTRICTED_FOR_REGISTRATION' } };
    await lookUp();
    await put('Tax ID Number (TIN)', '341234567');
    await userEvent.click(inside('Search'));
    await userEvent.click(await dialog().findByRole('checkbox'));
    await userEvent.click(inside('Add'));
    await press('CREATE USER');
    expect((await listed())[0]).toMatch(/^Adding a TIN owned by our organization is not allowed\..*\.\.$/);
  });
});

describe('drafts', () => {
  const sources = [{ sourceId: 3, sourceName: 'Hub' }];
  const draft = makeRow({ statusCd: 'DRAFT', groupRosterSources: sources });

  const openAndSave = async () => {
    server.replies[save] = { body: draft };
    const visit = await open();
    await fillPerson('ROAD');
    await fillWork(false);
    await press('SAVE AS DRAFT');
    expect(await message()).toBe('User has been successfully saved!');
    return visit;
  };

  test('are saved, and continued', async () => {
    const visit = await openAndSave();
    expect(await body(save)).toMatchObject({
      isSaveAsDraftOperation: true,
      completeProfile: false,
      affiliationCd: null,
      companyUrl: null,
    });
    expect(visit.state()).toMatchObject({ mode: 'draftUser', user: { id: 31 } });
    expect(has('CANCEL')).toBe(true);
    fill('Job Title', 'Chief');
    expect(screen.queryByText('User has been successfully saved!')).toBeNull();
    await press('SAVE AS DRAFT');
    expect(await message()).toBe('User has been successfully saved!');
    expect(server.sent(save)[1]?.body).toMatchObject({
      id: 31,
      jobTitle: 'Chief',
      selectedRosterSources: sources,
    });
    // Saved input doesn't need a confirmation.
    expect(hasUnsavedChanges()).toBe(false);
  });

  test('leave an empty form to the next visit', async () => {
    const visit = await openAndSave();
    await waitFor(() => expect(visit.state()).toMatchObject({ mode: 'draftUser' }));
    await visit.visitAgain();
    await waitFor(() => expect(field('Account Type').value).toBe(''));
    expect(screen.queryByText('User has been successfully saved!')).toBeNull();
  });

  test('preserve input that is typed during the first save', async () => {
    let finish = () => {};
    server.replies[save] = () =>
      new Promise<Answer<UserRow>>((resolve) => {
        finish = () => resolve({ body: draft });
      });
    const visit = await open();
    await fillPerson('ROAD');
    await fillWork(false);
    await press('SAVE AS DRAFT');
    await body(save);
    fill('Job Title', 'Chief');
    finish();
    expect(await message()).toBe('User has been successfully saved!');
    await waitFor(() => expect(visit.state()).toMatchObject({ mode: 'draftUser', user: { id: 31 } }));
    expect(field('Job Title').value).toBe('Chief');
    expect(hasUnsavedChanges()).toBe(true);
    server.replies[save] = { body: draft };
    await press('SAVE AS DRAFT');
    await waitFor(() => expect(server.sent(save)).toHaveLength(2));
    expect(server.sent(save)[1]?.body).toMatchObject({
      id: 31,
      jobTitle: 'Chief',
      selectedRosterSources: sources,
    });
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
  });

  test('are saved as loaded, and preserve the input when another user has changed them', async () => {
    const refusal = 'Someone else changed this draft. Copy your changes, then search for the user again.';
    server.replies[save] = { body: { ...draft, draftVersion: 'second' } };
    await open(isad, { state: { mode: 'draftUser', user: { ...draft, draftVersion: 'first' } } });
    fill('Job Title', 'Chief');
    await press('SAVE AS DRAFT');
    expect(await message()).toBe('User has been successfully saved!');
    server.replies[save] = { status: 409, body: { message: refusal } };
    fill('Job Title', 'Owner');
    await press('SAVE AS DRAFT');
    expect(await message()).toBe(refusal);
    expect(field('Job Title').value).toBe('Owner');
    expect(server.sent(save).map(({ body }) => body?.draftVersion)).toEqual(['first', 'second']);
  });

  test('are completed', async () => {
    const visit = await open(isad, { state: { mode: 'draftUser', user: { ...draft, typeCd: 'ROUS' } } });
    expect(field('First Name').value).toBe('Ada');
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state().message).toBe('User has been successfully created!');
    expect(await body(save)).toMatchObject({
      id: 31,
      isSaveAsDraftOperation: false,
      completeProfile: true,
      mode: 'draftUser',
      groupInfo: { groupInfoId: 7, groupRosterSources: sources },
    });
  });

  test('are closed by CANCEL', async () => {
    const visit = await open(isad, { state: { mode: 'draftUser', user: draft } });
    await press('CANCEL');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
  });

  test('are named, and unchanged by RESET', async () => {
    const visit = await open(isad, { state: { mode: 'draftUser', user: draft } });
    expect(screen.getByText('Draft of Ada Lovelace (alovelace)')).toBeTruthy();
    await press('RESET');
    expect(await message()).toMatch(/^The saved draft of Ada Lovelace \(alovelace\) hasn't changed/);
    expect(visit.state()).not.toHaveProperty('user');
    expect(field('Account Type').value).toBe('');
    expect(has('CANCEL')).toBe(false);
    await fillPerson('ROAD');
    await fillWork(false);
    await press('SAVE AS DRAFT');
    const sent = await body(save);
    expect(sent).toMatchObject({ mode: 'newUser', selectedRosterSources: [] });
    expect(sent).not.toHaveProperty('id');
  });

  test('with an unspecified group remember so, and create none instead', async () => {
    server.replies[save] = {
      status: 400,
      body: { fields: [{ path: 'grpInfoId', code: '', message: 'Error: Enter a valid group Id' }] },
    };
    const user = { ...draft, typeCd: 'PRAD' as const, grpInfoId: null, groupAssignment: 'existing' as const };
    server.replies[create] = server.replies[save];
    await open(isad, { state: { mode: 'draftUser', user: { ...user, affiliationCd: 'OFC_STAFF' } } });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Existing' }).checked).toBe(true);
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ groupAssignment: 'existing', grpInfoId: null });
    expect(await listed()).toEqual(['Error: Enter a valid group Id']);
  });

  test("that couldn't be saved preserve the input", async () => {
    server.replies[save] = { status: 500 };
    await open();
    await fillPerson('ROAD');
    await fillWork(false);
    await press('SAVE AS DRAFT');
    expect(await message()).toBe(
      'Error: An error has occurred. Please try again or contact Customer Service.',
    );
    expect(field('First Name').value).toBe('Ada');
  });
});

describe('NEXT', () => {
  const searchInfo = { owner: 'isad.demo x', criteria: {}, table: {} as never };
  const handedOn = [
    'formData',
    'groupInfo',
    'mode',
    'originalReturnPath',
    'returnPath',
    'searchInfo',
    'timestamp',
  ];

  test('passes everything to the roster sources', async () => {
    const visit = await open();
    await fillPerson('ROAD');
    await fillWork(false);
    await press('NEXT');
    await waitFor(() => expect(visit.at()).toBe('/ManageRosterSourcesForUserGroup'));
    const state = visit.state();
    expect(
      Object.keys(state)
        .filter((key) => !/^(key|__)/.test(key))
        .sort(),
    ).toEqual(handedOn);
    expect(state).toMatchObject({
      mode: 'newGroup',
      groupInfo: { groupInfoId: null, groupRosterSources: [] },
      returnPath: '/AddUser',
      originalReturnPath: '/ManageUsers',
      formData: { userFirstName: 'Ada', groupAssignment: 'new', typeCd: 'ROAD' },
    });
    expect(state.timestamp).toBeGreaterThan(0);
  });

  test('passes on that an account request is from the queue', async () => {
    const visit = await open(isad, { state: { mode: 'draftUser', user: makeRow(), fromQueue: true } });
    await press('NEXT');
    await waitFor(() => expect(visit.at()).toBe('/ManageRosterSourcesForUserGroup'));
    expect(visit.state().fromQueue).toBe(true);
  });

  test('is clicked by Enter in a field', async () => {
    const visit = await open();
    await fillPerson('ROAD');
    await fillWork(false);
    await userEvent.type(field('Company Name'), '{Enter}');
    await waitFor(() => expect(visit.at()).toBe('/ManageRosterSourcesForUserGroup'));
  });

  test('of a draft shows so', async () => {
    const visit = await open(isad, { state: { mode: 'draftUser', user: makeRow(), searchInfo } });
    await press('NEXT');
    await waitFor(() => expect(visit.at()).toBe('/ManageRosterSourcesForUserGroup'));
    expect(visit.state()).toMatchObject({
      mode: 'draftGroup',
      searchInfo,
      originalReturnPath: '/UserSearch',
      formData: { id: 31, mode: 'draftUser' },
    });
  });

  test('does nothing on a form with errors', async () => {
    const visit = await open();
    await choose('ROAD');
    await press('NEXT');
    await listed();
    expect(visit.at()).toBe('/AddUser');
  });

  const formData = {
    typeCd: 'ROAD',
    userFirstName: 'Ada',
    userLastName: 'Lovelace',
    emailAddr: 'ada@example.com',
    phoneNum: '2165550100',
    jobTitle: 'Biller',
    companyNm: 'Lakeside',
    groupAssignment: 'new' as const,
    mgrUserInfoId: 9,
    id: 31,
    draftVersion: 'first',
  };

  test('restores the input and the sources on return', async () => {
    const groupInfo = { groupRosterSources: [{ sourceId: 4, sourceName: 'Other Hub' }] };
    await open(isad, { state: { mode: 'draftGroup', formData, groupInfo } });
    expect(field('First Name').value).toBe('Ada');
    await press('SAVE AS DRAFT');
    expect(await body(save)).toMatchObject({
      id: 31,
      draftVersion: 'first',
      selectedRosterSources: groupInfo.groupRosterSources,
    });
  });

  test("drops the new group's sources for an existing one", async () => {
    const groupInfo = { groupRosterSources: [{ sourceId: 4, sourceName: 'Other Hub' }] };
    await open(isad, { state: { formData: { ...formData, id: undefined }, groupInfo } });
    await existing();
    fill('Group ID', '1010');
    await press('COMPLETE PROFILE');
    expect(await body(save)).toMatchObject({ grpInfoId: 1010, selectedRosterSources: [] });
  });

  const inGroup = makeRow({
    statusCd: 'DRAFT',
    typeCd: 'ROUS',
    grpInfoId: 1010,
    groupRosterSources: [{ sourceId: 4, sourceName: 'Other Hub' }],
    removedSourceIds: [3],
  });

  test("doesn't carry a draft's sources to another group", async () => {
    await open(isad, { state: { mode: 'draftUser', user: inGroup } });
    fill('Group ID', '1011');
    await press('COMPLETE PROFILE');
    const sent = await body(save);
    expect(sent).toMatchObject({ grpInfoId: 1011, selectedRosterSources: [] });
    expect(sent).not.toHaveProperty('removedSourceIds');
  });

  test('drops the removals too when the group changes and changes back', async () => {
    await open(isad, { state: { mode: 'draftUser', user: { ...inGroup, typeCd: 'ROAD' } } });
    await userEvent.click(screen.getByRole('radio', { name: 'New' }));
    await existing();
    fill('Group ID', '1010');
    await press('SAVE AS DRAFT');
    const sent = await body(save);
    expect(sent).toMatchObject({ grpInfoId: 1010, selectedRosterSources: [] });
    expect(sent).not.toHaveProperty('removedSourceIds');
  });

  test("never shows another user's input", async () => {
    await open(isad, { state: { formData: { ...formData, mgrUserInfoId: 5 } } });
    expect(field('Account Type').value).toBe('');
  });

  test('is forgotten after RESET', async () => {
    const visit = await open(isad, { state: { formData, groupInfo: {} } });
    await press('RESET');
    await waitFor(() => expect(visit.state().formData).toBeUndefined());
    expect(visit.state().groupInfo).toBeUndefined();
    expect(asked('First Name')).toBe(false);
  });
});

describe('an account request', () => {
  const get = 'GET /accountRequests/5';
  const request: components['schemas']['RequestedAccount'] = {
    id: 5,
    affiliation: 'OTHER',
    otherAffiliation: 'Lawyer',
    firstName: 'Paula',
    lastName: 'Reyes',
    middleInitial: 'T',
    phoneNumber: '2165550100',
    jobTitle: 'Office Manager',
    companyName: 'Lakeside',
    companyUrl: 'lakeside.example',
    emailAddress: 'paula@example.com',
    providerList: [{ ftin: '341234567', providerName: 'Lakeside Orthopedics' }],
    campaign: '',
    status: 'SUBMITTED',
    submittedDt: '2026-03-02T15:00:00Z',
  };
  beforeEach(() => {
    server.replies['GET /ftin/groupFtins/7'] = { body: [makeTin('341234567')] };
  });

  test('fills the form, leaves the address, and is handled', async () => {
    server.replies[get] = { body: request };
    const visit = await open(isad, { address: '/AddUser?request=5' });
    expect(visit.search()).toBe('');
    expect(visit.state().accountRequest).toBe(5);
    expect(screen.getByText(/for Lakeside Orthopedics, FTIN 341234567$/)).toBeTruthy();
    await choose('PRAD');
    for (const [label, value] of [
      ['First Name', 'Paula'],
      ['Last Name', 'Reyes'],
      ['Middle Initial', 'T'],
      ['Phone Number', '216-555-0100'],
      ['Email Address', 'paula@example.com'],
      ['Affiliation', 'OTHER'],
      ['Other Description', 'Lawyer'],
      ['Job Title', 'Office Manager'],
      ['Company Name', 'Lakeside'],
      ['Company URL', 'lakeside.example'],
    ] as const)
      expect(field(label).value, label).toBe(value);
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ accountRequestId: 5, affiliationDesc: 'Lawyer' });
    expect(server.sent(get)).toHaveLength(1);
  });

  const owned = (...ids: number[]) => {
    server.replies[get] = { body: request };
    server.replies['POST /admin/groupList'] = {
      body: groups.filter(({ groupInfoId }) => ids.includes(groupInfoId)),
    };
    return open(isad, { state: { accountRequest: 5 } });
  };
  const sentTins = async () => (await body(create))?.userFtins;

  test('adds its TIN to a new group, if no group has it', async () => {
    await owned();
    expect(server.sent('POST /admin/groupList')[0]?.body).toEqual({ taxIdNumber: '341234567' });
    expect(screen.getByText('No provider group has this TIN yet.')).toBeTruthy();
    await choose('PRAD');
    expect(screen.queryByText(/Without a TIN, the group's users/)).toBeNull();
    expect(await screen.findByRole('cell', { name: 'Lakeside Orthopedics' })).toBeTruthy();
    // There and back.
    await existing();
    await userEvent.click(screen.getByRole('radio', { name: 'New' }));
    await press('CREATE USER');
    expect(await sentTins()).toEqual([{ ftin: '341234567' }]);
  });

  test('selects the group that has its TIN', async () => {
    await owned(7);
    expect(screen.getByText('The TIN belongs to group 7, Lakeside Clinic.')).toBeTruthy();
    await choose('PRAD');
    expect(field('Group ID').value).toBe('7');
    await choose('PRUS');
    expect(field('Group ID').value).toBe('7');
    await choose('NNUS');
    expect(field('Tax ID Number (TIN)').value).toBe('341234567');
    await choose('PRUS');
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ grpInfoId: 7, userFtins: [{ ftin: '341234567' }] });
  });

  test('proposes the account type that fits the TIN', async () => {
    await owned();
    expect(field('Account Type').value).toBe('PRAD');
    expect(await screen.findByRole('cell', { name: 'Lakeside Orthopedics' })).toBeTruthy();
    cleanup();
    await owned(7);
    expect(field('Account Type').value).toBe('PRUS');
    expect(field('Group ID').value).toBe('7');
    cleanup();
    server.replies['POST /admin/groupList'] = {
      body: groups.slice(0, 1).map((group) => ({ ...group, groupTypeCd: 'NNW' })),
    };
    await open(isad, { state: { accountRequest: 5 } });
    expect(field('Account Type').value).toBe('NNUS');
  });

  test('from the queue is followed by the next one, then by the queue', async () => {
    server.replies[get] = { body: request };
    server.replies['GET /accountRequests/6'] = { body: { ...request, id: 6, firstName: 'Nora' } };
    server.replies['POST /desk/queues/requests'] = [
      { body: { rows: [{ ...request, id: 6 }], count: 1 } },
      { body: { rows: [], count: 0 } },
    ];
    server.replies['POST /admin/groupList'] = { body: groups.filter(({ groupInfoId }) => groupInfoId === 7) };
    await open(isad, { state: { accountRequest: 5, fromQueue: true } });
    await press('CREATE USER');
    await screen.findByText('Account request of Nora Reyes');
    expect(await message()).toMatch(/approved\. This is the next one\.$/);
    await press('CREATE USER');
    await screen.findByText('Elsewhere');
    expect(server.sent('POST /desk/queues/requests')).toHaveLength(2);
  });

  test('lets users select among several groups', async () => {
    await owned(7, 8, 1010);
    expect(
      screen.getByText('The TIN belongs to group 7, Lakeside Clinic and group 8, Valley Clinic.'),
    ).toBeTruthy();
    await choose('PRAD');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Existing' }).checked).toBe(true);
    await press('CREATE USER');
    expect(await listed()).toEqual(['Error: Enter a valid group Id']);
    // Its TIN is selected in both.
    await choose('PRUS');
    fill('Group ID', '12');
    fill('Group ID', '8');
    await press('CREATE USER');
    expect(await body(create)).toMatchObject({ grpInfoId: 8, userFtins: [{ ftin: '341234567' }] });
  });

  test('that another user has handled shows so, with the result', async () => {
    await owned(7);
    await choose('PRUS');
    fill('First Name', 'Paulina');
    server.replies[create] = {
      status: 409,
      body: { message: 'This account request has already been answered.' },
    };
    server.replies[get] = { body: { ...request, status: 'DECLINED' } };
    await press('CREATE USER');
    await screen.findByText('The account request of Paula Reyes was declined by email.');
    expect(field('Account Type').value).toBe('');
  });

  test('is declined with an emailed reason', async () => {
    await owned();
    const decline = 'POST /accountRequests/5/decline';
    server.replies[decline] = [{ status: 500 }, { body: 'success' }];
    await press('DECLINE REQUEST');
    await userEvent.type(screen.getByLabelText('Reason'), 'No such office');
    await press('Decline');
    expect(
      await screen.findByText('Error: An error has occurred. Please try again or contact Customer Service.'),
    ).toBeTruthy();
    server.replies[get] = { body: { ...request, status: 'DECLINED' } };
    await press('Decline');
    expect(await screen.findByText('The account request of Paula Reyes was declined by email.')).toBeTruthy();
    expect(server.sent(decline)[1]?.body).toEqual({ reason: 'No such office' });
  });

  test('stays open when RESET starts another user', async () => {
    await owned();
    await press('RESET');
    expect(await message()).toMatch(/^The account request of Paula Reyes is still open/);
    await fillPerson('ISAD');
    fill('Employee ID', 'E1');
    await press('CREATE USER');
    expect(await body(create)).not.toHaveProperty('accountRequestId');
  });

  test("that was handled shows so, and isn't handled again", async () => {
    server.replies[get] = { body: { ...request, status: 'CLOSED' } };
    await open(isad, { state: { accountRequest: 5 } });
    expect(screen.getByText('The account request of Paula Reyes was already answered.')).toBeTruthy();
    await fillPerson('ISAD');
    expect(field('First Name').value).toBe('Ada');
    fill('Employee ID', 'E1');
    await press('CREATE USER');
    expect(await body(create)).not.toHaveProperty('accountRequestId');
  });

  test.each(['5', 'nonsense'])('that is unknown shows so: %s', async (id) => {
    server.replies['GET /accountRequests/5'] = { status: 404 };
    server.replies['GET /accountRequests/-1'] = { status: 404 };
    await open(isad, { address: `/AddUser?request=${id}` });
    expect(screen.getByText(/^We couldn't find this account request\./)).toBeTruthy();
    expect(field('Account Type').value).toBe('');
  });

  test('can be loaded again', async () => {
    server.replies[get] = { status: 500 };
    await show('/AddUser', AddUserPage, isad, { state: { accountRequest: 5 } });
    server.replies[get] = { body: request };
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Account request of Paula Reyes')).toBeTruthy();
  });

  test('is handled by the draft created from it', async () => {
    server.replies[get] = { body: request };
    server.replies[save] = { body: makeRow({ typeCd: 'ROUS', statusCd: 'DRAFT' }) };
    await open(isad, { state: { accountRequest: 5 } });
    await choose('ROUS');
    fill('Group ID', '7');
    await press('SAVE AS DRAFT');
    await message();
    await press('COMPLETE PROFILE');
    await waitFor(() => expect(server.sent(save)).toHaveLength(2));
    expect(server.sent(save)[1]?.body).toMatchObject({ id: 31, accountRequestId: 5 });
  });
});

test("the screen isn't for users who can't add", async () => {
  await show('/AddUser', AddUserPage, irad);
  expect(await screen.findByText("You don't have access")).toBeTruthy();
  expect(server.calls).toEqual([]);
});

test('the account types can be loaded again', async () => {
  server.replies['PUT /users/getUserTypes'] = { status: 500 };
  await show('/AddUser', AddUserPage, isad);
  startServer();
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText(/^Account Type/)).toBeTruthy();
});

describe('a Tax ID that another group has', () => {
  const refused = {
    status: 409,
    body: {
      code: 'TIN_SHARED',
      message: 'Shared.',
      fields: [
        { path: 'userFtins', code: 'TIN_SHARED', message: 'Group 7, Lakeside Clinic', value: '333333333' },
        { path: 'userFtins', code: 'TIN_SHARED', message: 'Group 8, Valley Clinic', value: '333333333' },
      ],
    },
  };

  async function ask() {
    server.replies[create] = [refused, { body: makeRow() }];
    await open(isad);
    await fillPerson('PRAD');
    await fillWork();
    await press('CREATE USER');
    const dialog = within(await screen.findByRole('dialog', { name: 'Share this Tax ID?' }));
    expect(
      dialog.getByText(/2 groups have it already. Group 7, Lakeside Clinic; Group 8, Valley Clinic\./),
    ).toBeTruthy();
    return dialog;
  }

  test('is assigned to a new group after Share', async () => {
    await userEvent.click((await ask()).getByRole('button', { name: 'Share' }));
    await waitFor(() => expect(server.sent(create)).toHaveLength(2));
    expect(server.sent(create)[0]?.body?.sharedFtins).toBeUndefined();
    expect(server.sent(create)[1]?.body).toMatchObject({ sharedFtins: ['333333333'] });
  });

  test("isn't after Cancel, and the input stays", async () => {
    await userEvent.click((await ask()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.sent(create)).toHaveLength(1);
    expect(field('First Name').value).not.toBe('');
  });
});

test('a draft can be saved incomplete, but not with invalid values', async () => {
  await open(isad);
  await choose('ROAD');
  fill('First Name', 'Ada');
  fill('Last Name', 'Lovelace');
  fill('Email Address', 'ada@example.com');
  fill('Phone Number', '12');
  await press('SAVE AS DRAFT');
  expect(await listed()).toEqual(['Error: Enter a valid Phone Number']);
  fill('Phone Number', '');
  await press('SAVE AS DRAFT');
  await waitFor(() => expect(server.sent(save)).toHaveLength(1));
  expect(server.sent(save)[0]?.body).toMatchObject({ isSaveAsDraftOperation: true, phoneNum: '' });
});
