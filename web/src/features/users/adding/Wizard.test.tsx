import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { getWork } from '@/shared/encryptedState';
import { createTableState } from '@/ui/table/state';
import {
  button,
  field,
  fillPerson,
  irad,
  isad,
  listed,
  makeNewUser,
  makeRow,
  message,
  mirroring,
  prad,
  press,
  server,
  show,
  startServer,
} from './testing';
import { encryptWizard, type WizardState } from './visit';
import WizardPersonPage from './WizardPersonPage';
import WizardTinsPage from './WizardTinsPage';

beforeEach(startServer);

const check = 'POST /users/checkEmailAddressExists/ada%40example.com';
const person = async (wizard?: WizardState, session = prad) =>
  show('/ManageUserAddUser', WizardPersonPage, session, { state: await makeState(wizard) });
const tins = async (wizard?: WizardState, session = prad) =>
  show('/AddUserManageTin', WizardTinsPage, session, { state: await makeState(wizard) });
const makeState = (wizard?: WizardState) => (wizard ? encryptWizard(wizard) : {});
const keptBy = (visit: Awaited<ReturnType<typeof show>>) => getWork<WizardState>(visit.state(), 'wizard');

/** Another user's text, which can't be decrypted. */
const foreign = { sealed: { wizard: { id: 99, text: btoa('sealed for another') } } };
/** The position in Manage Users. */
const list = { owner: 'me', table: createTableState({ page: 3 }) };
const searchInfo = { owner: 'me', criteria: {}, table: createTableState() };
let wizards = 0;
const makeWizard = (typeCd = 'PRUS', ftins: string[] = []): WizardState => ({
  id: ++wizards,
  user: makeNewUser({ typeCd, affiliationCd: '', jobTitle: '', companyNm: '' }),
  ftins,
});

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

describe('the first step', () => {
  test('shows fields in this order', async () => {
    await person();
    await screen.findByLabelText(/^Account Type/);
    expect([...document.querySelectorAll('form label')].map(({ textContent }) => textContent)).toEqual([
      'First Name*',
      'Last Name*',
      'Middle Initial',
      'Phone Number*',
      'Email Address*',
      'Account Type*',
    ]);
  });

  test('checks the email and passes everything on', async () => {
    server.replies[check] = { body: false };
    const visit = await show('/ManageUserAddUser', WizardPersonPage, prad, {
      state: { list, searchInfo },
    });
    await fillPerson('PRUS');
    await press('NEXT');
    await waitFor(() => expect(visit.at()).toBe('/AddUserManageTin'));
    expect(visit.state()).toMatchObject({ list, searchInfo });
    expect(keptBy(visit)).toMatchObject({
      user: { userFirstName: 'Ada', emailAddr: 'ada@example.com', typeCd: 'PRUS' },
      ftins: [],
    });
    expect(server.sent(check)).toHaveLength(1);
  });

  test('lists missing fields and sends nothing', async () => {
    const visit = await person();
    await screen.findByLabelText(/^Account Type/);
    await press('NEXT');
    expect(await message()).toContain(
      'An error has occurred. Please address all fields marked with “Error”.',
    );
    expect(await listed()).toEqual([
      'Error: Enter valid First Name',
      'Error: Enter valid Last Name',
      'Error: Enter a valid Phone Number',
      'Error: Enter a valid Email Address',
      'Error: Select Account Type',
    ]);
    expect(visit.at()).toBe('/ManageUserAddUser');
    expect(server.calls.map(({ call }) => call)).toEqual(['PUT /users/getUserTypes']);
  });

  test.each([
    [{ body: true }, 'Error: The Email Address is associated to another account'],
    [{ status: 500 }, 'Error: An error has occurred. Please try again or contact Customer Service.'],
  ])('stays if the check returns %j', async (reply, text) => {
    server.replies[check] = reply;
    const visit = await person();
    await fillPerson('PRUS');
    await press('NEXT');
    expect(await message()).toContain(text);
    expect(visit.at()).toBe('/ManageUserAddUser');
    expect(button('NEXT').getAttribute('aria-disabled')).toBeNull();
  });

  test('ignores a second NEXT while the check runs', async () => {
    let answerCheck = (_: { body: boolean }) => {};
    server.replies[check] = () =>
      new Promise((resolve) => {
        answerCheck = resolve;
      });
    await person();
    await fillPerson('PRUS');
    await userEvent.dblClick(button('NEXT'));
    expect(button('NEXT').getAttribute('aria-disabled')).toBe('true');
    expect(server.sent(check)).toHaveLength(1);
    answerCheck({ body: true });
    await waitFor(() => expect(button('NEXT').getAttribute('aria-disabled')).toBeNull());
  });

  test('stores the input for a reload', async () => {
    const visit = await person();
    await fillPerson('PRUS');
    await waitFor(() => expect(keptBy(visit)?.user.emailAddr).toBe('ada@example.com'));
  });

  test('restores the input, only for its user', async () => {
    await person(makeWizard());
    await waitFor(() => expect(field('First Name').value).toBe('Ada'));
    expect(field('Account Type').value).toBe('PRUS');
  });

  test("never shows another user's input", async () => {
    await show('/ManageUserAddUser', WizardPersonPage, prad, { state: foreign });
    await screen.findByLabelText(/^Account Type/);
    expect(field('First Name').value).toBe('');
  });

  test('preserves the TINs of the same type, and no others', async () => {
    server.replies[check] = { body: false };
    const visit = await person(makeWizard('PRUS', ['111111111']));
    await screen.findByLabelText(/^Account Type/);
    await press('NEXT');
    await waitFor(() => expect(keptBy(visit)?.ftins).toEqual(['111111111']));
  });

  test('is closed by CANCEL, and returns to its place in the list', async () => {
    const visit = await show('/ManageUserAddUser', WizardPersonPage, prad, {
      state: { list, searchInfo },
    });
    await screen.findByLabelText(/^Account Type/);
    await press('CANCEL');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ list, searchInfo });
  });

  test('does nothing while mirroring, and shows why', async () => {
    await person(undefined, mirroring);
    await screen.findByLabelText(/^Account Type/);
    expect(screen.getByText("You can't add users while mirroring. Use Revert first.")).toBeTruthy();
    expect(button('NEXT').disabled).toBe(true);
    expect(button('CANCEL').disabled).toBe(false);
  });

  test('redirects users without a group to Add User', async () => {
    const visit = await person(undefined, isad);
    await userEvent.click(await screen.findByRole('link', { name: 'Add User' }));
    await waitFor(() => expect(visit.at()).toBe('/AddUser'));
  });

  test("isn't for users who can't add", async () => {
    await person(undefined, irad);
    expect(await screen.findByText("You don't have access")).toBeTruthy();
  });

  test('can be loaded again', async () => {
    server.replies['PUT /users/getUserTypes'] = { status: 500 };
    await person();
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(server.sent('PUT /users/getUserTypes')).toHaveLength(2);
  });
});

describe('the second step', () => {
  test('creates a provider user with the selected TINs', async () => {
    server.replies['PUT /users/createUser'] = { body: makeRow({ grpInfoId: 7 }) };
    const visit = await tins(makeWizard());
    expect(
      await screen.findByRole('heading', { name: 'Manage Users: Add User: Manage TINs for Ada Lovelace' }),
    ).toBeTruthy();
    await userEvent.click(await box('Select 222222222'));
    await waitFor(() => expect(keptBy(visit)?.ftins).toEqual(['222222222']));
    await press('CREATE USER');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ message: 'User has been successfully created!', groupId: 7 });
    expect(server.sent('PUT /users/createUser')[0]?.body).toEqual({
      userFirstName: 'Ada',
      userLastName: 'Lovelace',
      userMidName: '',
      emailAddr: 'ada@example.com',
      phoneNum: '2165550100',
      typeCd: 'PRUS',
      mode: 'newUser',
      isSaveAsDraftOperation: false,
      grpInfoId: 7,
      mgrUserInfoId: 1,
      statusDesc: 'prad.demo',
      userFtins: [{ ftin: '222222222' }],
    });
    expect(server.sent('GET /ftin/userFtins/prad.demo')[0]?.query).toBe('?activeFlag=true');
  });

  test('finishes: Back finds an empty form', async () => {
    server.replies['PUT /users/createUser'] = { body: makeRow({ grpInfoId: 7 }) };
    const wizard = makeWizard('PRAD');
    const before = await encryptWizard(wizard);
    const visit = await show('/AddUserManageTin', WizardTinsPage, prad, { state: { ...before, searchInfo } });
    await box('Select 111111111');
    await press('CREATE USER');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ searchInfo });
    cleanup();
    await show('/ManageUserAddUser', WizardPersonPage, prad, { state: before });
    await screen.findByLabelText(/^Account Type/);
    expect(field('First Name*').value).toBe('');
  });

  test('requires a TIN for a provider user', async () => {
    await tins(makeWizard());
    await box('Select 111111111');
    await press('CREATE USER');
    expect((await screen.findByRole('dialog')).textContent).toContain('You must select at least one TIN');
    await press('OK');
    expect(server.sent('PUT /users/createUser')).toEqual([]);
  });

  test('gives an administrator all TINs, locked, and sends no list', async () => {
    const visit = await tins(makeWizard('PRAD'));
    for (const name of ['Select 111111111', 'Select 222222222']) {
      expect((await box(name)).checked).toBe(true);
      expect((await box(name)).disabled).toBe(true);
    }
    await press('CREATE USER');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    const body = server.sent('PUT /users/createUser')[0]?.body;
    expect(body).toMatchObject({ typeCd: 'PRAD' });
    expect(body).not.toHaveProperty('userFtins');
    expect(body).not.toHaveProperty('affiliationCd');
    expect(body).not.toHaveProperty('jobTitle');
    expect(body).not.toHaveProperty('companyNm');
  });

  test('restores the selected TINs, without those that left the group', async () => {
    await tins(makeWizard('PRUS', ['111111111', '999999999']));
    expect((await box('Select 111111111')).checked).toBe(true);
    expect((await box('Select 222222222')).checked).toBe(false);
    await press('CREATE USER');
    await waitFor(() =>
      expect(server.sent('PUT /users/createUser')[0]?.body?.userFtins).toEqual([{ ftin: '111111111' }]),
    );
  });

  test('filters the TINs and preserves the selection', async () => {
    await tins(makeWizard('PRUS', ['111111111']));
    await box('Select 111111111');
    await userEvent.type(screen.getByLabelText('Filter by Tax ID (TIN)'), '222');
    expect(screen.queryByRole('checkbox', { name: 'Select 111111111' })).toBeNull();
    await press('CREATE USER');
    await waitFor(() =>
      expect(server.sent('PUT /users/createUser')[0]?.body?.userFtins).toEqual([{ ftin: '111111111' }]),
    );
  });

  test.each([
    [
      {
        status: 409,
        body: {
          message: 'Error: The Email Address is associated to another account',
          fields: [
            {
              path: 'emailAddr',
              code: 'EMAIL_EXISTS',
              message: 'Error: The Email Address is associated to another account',
            },
          ],
        },
      },
      'Error: The Email Address is associated to another account',
    ],
    [
      {
        status: 400,
        body: { message: "This group doesn't have one of the TINs. Reload the list and try again." },
      },
      "This group doesn't have one of the TINs. Reload the list and try again.",
    ],
    [
      {
        status: 403,
        body: {
          code: 'PROOF_NEEDED',
          message: "Your change wasn't saved. Confirm your identity and try again.",
        },
      },
      "Your change wasn't saved. Confirm your identity and try again.",
    ],
    [
      { status: 500, body: { message: 'Something is wrong.' } },
      'Error: An error has occurred. Please try again or contact Customer Service.',
    ],
  ])('shows the error %#', async (reply, text) => {
    server.replies['PUT /users/createUser'] = reply;
    const visit = await tins(makeWizard('PRAD'));
    await box('Select 111111111');
    await press('CREATE USER');
    expect(await message()).toBe(text);
    expect(visit.at()).toBe('/AddUserManageTin');
    expect(button('CREATE USER').getAttribute('aria-disabled')).toBeNull();
  });

  test('creates once on a double click', async () => {
    server.replies['PUT /users/createUser'] = () => new Promise(() => {});
    await tins(makeWizard('PRAD'));
    await box('Select 111111111');
    await userEvent.dblClick(button('CREATE USER'));
    expect(server.sent('PUT /users/createUser')).toHaveLength(1);
    expect(button('PREVIOUS').disabled).toBe(true);
  });

  test('goes back with everything', async () => {
    const wizard = makeWizard('PRUS', ['111111111']);
    const state = { ...(await encryptWizard(wizard)), list, searchInfo };
    const visit = await show('/AddUserManageTin', WizardTinsPage, prad, { state });
    await box('Select 111111111');
    await press('PREVIOUS');
    await waitFor(() => expect(visit.at()).toBe('/ManageUserAddUser'));
    expect(visit.state()).toMatchObject({ list, searchInfo });
    expect(keptBy(visit)).toEqual(wizard);
  });

  test('is closed by CANCEL', async () => {
    const state = { ...(await encryptWizard(makeWizard())), list, searchInfo };
    const visit = await show('/AddUserManageTin', WizardTinsPage, prad, { state });
    await press('CANCEL');
    await waitFor(() => expect(visit.at()).toBe('/ManageUsers'));
    expect(visit.state()).toMatchObject({ list, searchInfo });
  });

  test.each([{}, foreign])('requires the first step %#', async (state) => {
    const visit = await show('/AddUserManageTin', WizardTinsPage, prad, { state });
    await waitFor(() => expect(visit.at()).toBe('/ManageUserAddUser'));
  });

  test('does nothing while mirroring, and shows why', async () => {
    await tins(makeWizard(), mirroring);
    expect((await box('Select 111111111')).disabled).toBe(true);
    expect(button('CREATE USER').disabled).toBe(true);
    expect(screen.getByText("You can't add users while mirroring. Use Revert first.")).toBeTruthy();
  });

  test('can be loaded again', async () => {
    server.replies['GET /ftin/userFtins/prad.demo'] = { status: 400 };
    await tins(makeWizard());
    await screen.findByText(/^Error: There was an error retrieving data/);
    expect(button('CREATE USER').disabled).toBe(true);
    await press('Try again');
    expect(server.sent('GET /ftin/userFtins/prad.demo')).toHaveLength(2);
  });
});
