import { describe, expect, test } from 'vitest';
import { sessionOf } from '@/api/testing';
import { judge } from './guard';
import { landing, router } from './router';

const everyone = { home: 1, UserProfile: 1, ChangePassword: 1 };

describe('a visit', () => {
  const session = sessionOf({ routes: ['home', 'billSearch'] });
  test.each([
    ['public', 'login', null, 'open'],
    ['public', 'login', session, 'open'],
    ['any', 'News', null, 'sign-in'],
    ['any', 'News', session, 'open'],
    ['checked', 'billSearch', null, 'sign-in'],
    ['checked', 'billSearch', session, 'open'],
    ['checked', 'UserSearch', session, 'refuse'],
    ['unknown', '', null, 'sign-in'],
    ['unknown', '', session, 'not-found'],
  ] as const)('%s %s', (access, screen, who, verdict) => {
    expect(judge(access, screen, who)).toBe(verdict);
  });
});

test('every path has the access the portal promises', () => {
  const paths: Record<string, string[]> = {};
  for (const route of Object.values(router.routesByPath)) {
    const { access = 'unknown', screen = '' } = route.options.staticData ?? {};
    if (screen === 'dev/kit') continue; // not in the built application
    paths[access] ??= [];
    paths[access].push(screen);
  }
  const sorted = (names: string) => names.split(' ').sort();
  expect(paths.public?.sort()).toEqual(
    sorted(
      'authenticate login requestAccount emailRegistration forgotusernm forgotpassword resetPassword confirmPasswordReset confirmAddUser confirmRegistration registration registrationComplete PageNotFound',
    ),
  );
  expect([...new Set(paths.checked)].sort()).toEqual(
    sorted(
      'home providerResources EditProfile ClientList Notifications UserSearch billSearch ClaimSearch Demographics/DemographicSearch ManageTins ManageUsers ManageTinsForUser ViewTinsForUser ChangePassword UserProfile AddUser ManageUserAddUser AddUserManageTin ManageRosterSourcesForUserGroup',
    ),
  );
  expect(paths.any?.sort()).toEqual(
    sorted('logout ManageRecipients FeeSchedule ManageRosters ManageGroups ManageTINsforNNUS News'),
  );
});

describe('after sign-in', () => {
  const session = sessionOf({ routes: [...Object.keys(everyone), 'billSearch'] });
  test.each([
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
  ])('leads to %s', (_, remembered, target) => {
    expect(landing(remembered, session)).toBe(target);
  });
});
