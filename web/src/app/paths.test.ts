import { expect, test } from 'vitest';
import * as paths from '@/shared/paths';
import { router } from './router';

const { base, getScreenPath, addBase, removeBase, isWorkspace, ...rest } = paths;

// The server lists those of the Workspace.
test('the addresses', () => {
  const shown = Object.entries(rest)
    .filter(([, path]) => typeof path !== 'string' || !isWorkspace(path))
    .map(([name, path]) => `${name} ${typeof path === 'string' ? path : JSON.stringify(path('ID'))}`);
  expect(shown.sort()).toMatchInlineSnapshot(`
    [
      "addUser /AddUser",
      "auditLog /AuditLog",
      "authenticate /authenticate",
      "billSearch /billSearch",
      "changePassword /ChangePassword",
      "claimSearch /ClaimSearch",
      "clientList /ClientList",
      "confirmAddUser /confirmAddUser",
      "confirmEmail /confirmEmail",
      "confirmFactorReset /confirmFactorReset",
      "confirmMailbox /confirmMailbox",
      "confirmPasswordReset /confirmPasswordReset",
      "confirmRegistration /confirmRegistration",
      "confirmSignIn /confirmSignIn",
      "demographicSearch /Demographics/DemographicSearch",
      "editProfile /EditProfile",
      "emailRegistration /emailRegistration",
      "feeSchedule /FeeSchedule",
      "forgotPassword /forgotpassword",
      "forgotUsername /forgotusernm",
      "home /home",
      "login /login",
      "logout /logout",
      "manageGroups /ManageGroups",
      "manageNonNetworkTins /ManageTINsforNNUS",
      "manageRecipients /ManageRecipients",
      "manageRosters /ManageRosters",
      "manageSources /ManageRosterSourcesForUserGroup",
      "manageTins /ManageTins",
      "manageTinsForUser /ManageTinsForUser",
      "manageUsers /ManageUsers",
      "news /News",
      "notifications /Notifications",
      "pageNotFound /PageNotFound",
      "providerResources /providerResources",
      "registration /registration",
      "registrationComplete /registrationComplete",
      "requestAccount /requestAccount",
      "resetPassword /resetPassword",
      "signInAndSecurity /SignInAndSecurity",
      "start /",
      "tinSharing /TinSharing",
      "toBill {"to":"/work/bill/$id","params":{"id":"ID"}}",
      "toCase {"to":"/work/cases/$number","params":{"number":"ID"}}",
      "toDeskBill {"to":"/desk/bill/$id","params":{"id":"ID"}}",
      "toDeskCase {"to":"/desk/cases/$number","params":{"number":"ID"}}",
      "toDeskRemittance {"to":"/desk/remittance/$id","params":{"id":"ID"}}",
      "toOpenBillsView {"to":"/work/bills/$id","params":{"id":"ID"}}",
      "toRemittance {"to":"/work/remittance/$id","params":{"id":"ID"}}",
      "unsubscribe /stopMails",
      "userProfile /UserProfile",
      "userSearch /UserSearch",
      "viewTins /ViewTinsForUser",
      "wizardPerson /ManageUserAddUser",
      "wizardTins /AddUserManageTin",
    ]
  `);
});

test('every address has a screen, and every screen has an address here', () => {
  const addresses = Object.values(rest).filter((path) => typeof path === 'string');
  const screens = Object.values(router.routesByPath).map(({ fullPath }) => fullPath);
  expect(screens.filter((path) => path !== '/$').sort()).toEqual(addresses.sort());
});

test('links outside the router have the base', () => {
  expect(addBase(getScreenPath('billSearch'))).toBe('/wcpp/billSearch');
  expect(removeBase('/wcpp/work/bills')).toBe('/work/bills');
  expect(removeBase('/wcppx')).toBeNull();
});
