import { describe, expect, test } from 'vitest';
import { makeSession } from '@/api/testing';
import { isWorkspace } from '@/shared/paths';
import { checkAccess } from './guard';
import { getLandingPage } from './landing';
import { router } from './router';

const everyone = { home: 1, UserProfile: 1, ChangePassword: 1 };

describe('a visit', () => {
  const session = makeSession({ routes: ['home', 'billSearch'] });
  const working = makeSession({ routes: ['work/reasons'], workspace: [] });
  test.each([
    ['public', 'login', null, 'open'],
    ['public', 'login', session, 'open'],
    ['any', 'News', null, 'sign-in'],
    ['any', 'News', session, 'open'],
    ['checked', 'billSearch', null, 'sign-in'],
    ['checked', 'billSearch', session, 'open'],
    ['checked', 'UserSearch', session, 'refuse'],
    ['checked', 'work/reasons', working, 'open'],
    ['checked', 'desk/reasons', working, 'refuse'],
    // An account without a Workspace.
    ['checked', 'work/reasons', null, 'sign-in'],
    ['checked', 'work/reasons', session, 'not-found'],
    ['checked', 'desk/reasons', session, 'not-found'],
    ['checked', 'work', session, 'not-found'],
    ['checked', 'desk', session, 'not-found'],
    ['unknown', '', null, 'sign-in'],
    ['unknown', '', session, 'not-found'],
  ] as const)('%s %s', (access, screen, who, verdict) => {
    expect(checkAccess(access, screen, who)).toBe(verdict);
  });
});

test('every path has the access the portal promises', () => {
  const paths: Record<string, string[]> = {};
  for (const route of Object.values(router.routesByPath)) {
    const { access = 'unknown', screen = '' } = route.options.staticData ?? {};
    if (isWorkspace(screen)) {
      expect(`${screen} ${access}`).toBe(`${screen} checked`);
      continue;
    }
    paths[access] ??= [];
    paths[access].push(screen);
  }
  const sorted = (names: string) => names.split(' ').sort();
  expect(paths.public?.sort()).toEqual(
    sorted(
      'authenticate login requestAccount emailRegistration forgotusernm forgotpassword resetPassword confirmFactorReset confirmPasswordReset confirmAddUser confirmRegistration confirmEmail confirmMailbox stopMails confirmSignIn registration registrationComplete PageNotFound',
    ),
  );
  expect([...new Set(paths.checked)].sort()).toEqual(
    sorted(
      'home providerResources EditProfile ClientList Notifications UserSearch billSearch ClaimSearch Demographics/DemographicSearch ManageTins ManageUsers ManageTinsForUser ViewTinsForUser ChangePassword UserProfile AddUser ManageUserAddUser AddUserManageTin ManageRosterSourcesForUserGroup',
    ),
  );
  expect(paths.any?.sort()).toEqual(
    sorted(
      'logout ManageRecipients FeeSchedule ManageRosters ManageGroups AuditLog SignInAndSecurity TinSharing ManageTINsforNNUS News',
    ),
  );
});

describe('after sign-in', () => {
  const session = makeSession({
    routes: [...Object.keys(everyone), 'billSearch', 'work/bill/$id', 'work/cases/$number'],
    workspace: [],
  });
  test.each([
    ['the page of a bill', '/wcpp/work/bill/Ab-9_z', '/wcpp/work/bill/Ab-9_z'],
    ['the page of a question', '/wcpp/work/cases/C-4K7Q-29MX', '/wcpp/work/cases/C-4K7Q-29MX'],
    ['the page first asked for', '/wcpp/billSearch?x=1', '/wcpp/billSearch?x=1'],
    ['the page in another case', '/wcpp/BILLSEARCH', '/wcpp/BILLSEARCH'],
    ['the page with a slash at the end', '/wcpp/billSearch/?x=1', '/wcpp/billSearch/?x=1'],
    ['a page for anyone signed in', '/wcpp/News', '/wcpp/News'],
    ['home instead of a page this account may not open', '/wcpp/UserSearch', '/wcpp/home'],
    ['home instead of a public page', '/wcpp/resetPassword', '/wcpp/home'],
    ['home instead of the logout page', '/wcpp/logout', '/wcpp/home'],
    ['home instead of an unknown page', '/wcpp/nowhere', '/wcpp/home'],
    ['home instead of another host', '//evil.example/wcpp/billSearch', '/wcpp/home'],
    ['home when nothing was asked for', null, '/wcpp/home'],
  ])('opens %s', (_, remembered, target) => {
    expect(getLandingPage(remembered, session)).toBe(target);
  });
});
