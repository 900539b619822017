import { expect, test } from 'vitest';
import * as paths from '@/shared/paths';
import { router } from './router';

const { base, getScreenPath, addBase, removeBase, isWorkspace, ...rest } = paths;

test('the addresses', () => {
  const shown = Object.entries(rest).map(
    ([name, path]) => `${name} ${typeof path === 'string' ? path : JSON.stringify(path('ID'))}`,
  );
  expect(shown.sort()).toMatchInlineSnapshot(`
    [
      "accessLog /work/visits",
      "accessReview /work/access",
      "addUser /AddUser",
      "askNetwork /work/cases/new",
      "auditLog /AuditLog",
      "authenticate /authenticate",
      "bill /work/bill/$id",
      "billSearch /billSearch",
      "bulkLookup /work/find-many",
      "bulkTins /work/users/tins",
      "callSheet /work/call-sheet",
      "caseThread /work/cases/$number",
      "caseTimes /desk/cases/times",
      "cases /work/cases",
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
      "deposits /work/deposits",
      "desk /desk",
      "deskAnnouncement /desk/status",
      "deskBill /desk/bill/$id",
      "deskCase /desk/cases/$number",
      "deskCases /desk/cases",
      "deskDrafts /desk/drafts",
      "deskFailedEmails /desk/mails",
      "deskFeeds /desk/feeds",
      "deskGroups /desk/groups",
      "deskHealth /desk/health",
      "deskJobs /desk/jobs",
      "deskPayerContacts /desk/payer-contacts",
      "deskQuality /desk/quality",
      "deskQueues /desk/queues",
      "deskReasons /desk/reasons",
      "deskRemittance /desk/remittance/$id",
      "deskRequests /desk/requests",
      "deskRetention /desk/retention",
      "deskReviews /desk/reviews",
      "deskRosters /desk/rosters",
      "deskRules /desk/rules",
      "deskStaff /desk/staff",
      "deskUnmatched /desk/unmatched",
      "editProfile /EditProfile",
      "emailRegistration /emailRegistration",
      "emailSettings /work/mails",
      "feeSchedule /FeeSchedule",
      "forgotPassword /forgotpassword",
      "forgotUsername /forgotusernm",
      "home /home",
      "importUsers /work/users/file",
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
      "openBills /work/bills",
      "openBillsView /work/bills/$id",
      "pageNotFound /PageNotFound",
      "providerResources /providerResources",
      "reasonCodes /work/reasons",
      "recordComplaint /desk/cases/new",
      "registration /registration",
      "registrationComplete /registrationComplete",
      "remittance /work/remittance/$id",
      "remittances /work/remittances",
      "requestAccount /requestAccount",
      "resetPassword /resetPassword",
      "signInAndSecurity /SignInAndSecurity",
      "start /",
      "team /work/team",
      "tinSharing /TinSharing",
      "toBill {"to":"/work/bill/$id","params":{"id":"ID"}}",
      "toCase {"to":"/work/cases/$number","params":{"number":"ID"}}",
      "toDeskBill {"to":"/desk/bill/$id","params":{"id":"ID"}}",
      "toDeskCase {"to":"/desk/cases/$number","params":{"number":"ID"}}",
      "toDeskRemittance {"to":"/desk/remittance/$id","params":{"id":"ID"}}",
      "toOpenBillsView {"to":"/work/bills/$id","params":{"id":"ID"}}",
      "toRemittance {"to":"/work/remittance/$id","params":{"id":"ID"}}",
      "today /work",
      "uiKit /dev/kit",
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
