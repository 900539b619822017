import {
  createRoute,
  lazyRouteComponent,
  type ParsedLocation,
  type RouteComponent,
  redirect,
  useLocation,
} from '@tanstack/react-router';
import type { Ending } from '@/api/session';
import type { Session } from '@/api/types';
import { takeLink } from '@/features/account/link';
import { LoginContent } from '@/features/content/LoginContent';
import { NewsScreen } from '@/features/content/NewsScreen';
import { LoginScreen } from '@/features/sessions/LoginScreen';
import { LogoutScreen } from '@/features/sessions/LogoutScreen';
import { completeSignIn, failureCode, signInPending } from '@/features/sessions/signIn';
import { PageNotFound } from '@/features/support/PageNotFound';
import { takeRequest } from '@/features/users/adding/takeRequest';
import type { Data } from '@/shared/intakes';
import type { Access } from './guard';
import { root } from './root';
import { fetched } from './Unreachable';

/* Every screen: its address, who may open it, its title, and where it is. */

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why the session ended, for the sign-in screen. */
    ending?: Ending;
    /** This visit to the logout page has ended its session. */
    signedOut?: boolean;
  }
}

const screenAt = <Path extends string>(
  path: Path,
  access: Access,
  title: string,
  component: RouteComponent,
  {
    beforeLoad,
    data,
  }: {
    beforeLoad?: (visit: { location: ParsedLocation; context: { session: Session | null } }) => void;
    data?: Data;
  } = {},
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component,
    beforeLoad,
    staticData: { access, title, screen: path.replace(/^\//, '') || 'home', data },
  });

const signInAt = <Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: { access: 'public', title: 'Sign in', screen: path.replace(/^\//, '') },
    validateSearch: (search: Record<string, unknown>): { fail?: string } =>
      search.fail === undefined ? {} : { fail: String(search.fail) },
    beforeLoad({ context }) {
      if (context.session) throw redirect({ to: '/home', replace: true });
    },
    async loader() {
      if (!signInPending()) return;
      try {
        await completeSignIn();
      } catch (error) {
        throw redirect({ to: '/login', search: { fail: failureCode(error) }, replace: true });
      }
    },
    pendingMs: 0,
    pendingMinMs: 0,
    pendingComponent: () => <LoginScreen signingIn />,
    component: SignIn,
  });

function SignIn() {
  const { search, state } = useLocation();
  return (
    <LoginScreen fail={(search as { fail?: string }).fail} ending={state.ending} aside={<LoginContent />} />
  );
}

/** A screen to which mailed links lead. */
const mailedAt = <Path extends string>(path: Path, title: string, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component,
    staticData: { access: 'public', title, screen: path.replace(/^\//, '') },
    beforeLoad: takeLink,
  });

const home = lazyRouteComponent(fetched(() => import('./Home')));

const billSearch = lazyRouteComponent(fetched(() => import('@/features/bills/BillSearchPage')));

const manageTins = lazyRouteComponent(fetched(() => import('@/features/tins/ManageTinsPage')));
const manageTinsForUser = lazyRouteComponent(fetched(() => import('@/features/tins/ManageTinsForUserPage')));
const viewTins = lazyRouteComponent(fetched(() => import('@/features/tins/ViewTinsPage')));
const manageNonNetworkTins = lazyRouteComponent(
  fetched(() => import('@/features/tins/ManageNonNetworkTinsPage')),
);

const signedOut = (screen: keyof typeof import('@/features/account/signedOut')) =>
  lazyRouteComponent(
    fetched(() => import('@/features/account/signedOut')),
    screen,
  );

export const routeTree = root.addChildren([
  signInAt('/login'),
  signInAt('/authenticate'),
  mailedAt('/requestAccount', 'Request an Account', signedOut('RequestAccountScreen')),
  mailedAt('/emailRegistration', 'Request an Account', signedOut('RequestAccountScreen')),
  mailedAt('/registration', 'Registration', signedOut('RegistrationScreen')),
  screenAt('/registrationComplete', 'public', 'Registration', signedOut('RegistrationCompleteScreen')),
  mailedAt('/confirmRegistration', 'Registration', signedOut('ConfirmRegistrationScreen')),
  mailedAt('/confirmAddUser', 'Registration', signedOut('ConfirmRegistrationScreen')),
  screenAt('/forgotusernm', 'public', 'Forgot Username', signedOut('ForgotUsernameScreen')),
  screenAt('/forgotpassword', 'public', 'Reset Password', signedOut('ResetPasswordScreen')),
  screenAt('/resetPassword', 'public', 'Reset Password', signedOut('ResetPasswordScreen')),
  mailedAt('/confirmPasswordReset', 'Reset Password', signedOut('ConfirmPasswordResetScreen')),
  screenAt('/PageNotFound', 'public', 'Page not found', PageNotFound),

  screenAt('/', 'checked', 'Home', home),
  screenAt('/home', 'checked', 'Home', home),
  screenAt(
    '/UserProfile',
    'checked',
    'User Profile',
    lazyRouteComponent(fetched(() => import('@/features/account/UserProfileScreen'))),
  ),
  screenAt(
    '/ChangePassword',
    'checked',
    'Change Password',
    lazyRouteComponent(fetched(() => import('@/features/account/ChangePasswordScreen'))),
  ),
  screenAt('/billSearch', 'checked', 'Bill Search', billSearch, { data: 'bills' }),
  screenAt(
    '/ClaimSearch',
    'checked',
    'Claim Search',
    lazyRouteComponent(fetched(() => import('@/features/claims/ClaimSearchPage'))),
    { data: 'claims' },
  ),
  screenAt(
    '/providerResources',
    'checked',
    'Provider Resources',
    lazyRouteComponent(fetched(() => import('@/features/resources/ProviderResourcesPage'))),
  ),
  screenAt(
    '/ClientList',
    'checked',
    'Client List',
    lazyRouteComponent(fetched(() => import('@/features/clients/ClientListPage'))),
    { data: 'clients' },
  ),
  screenAt(
    '/Demographics/DemographicSearch',
    'checked',
    'Provider Demographics',
    lazyRouteComponent(fetched(() => import('@/features/directory/DemographicSearchPage'))),
    { data: 'providers' },
  ),
  screenAt(
    '/ManageUsers',
    'checked',
    'Manage Users',
    lazyRouteComponent(fetched(() => import('@/features/users/ManageUsersPage'))),
  ),
  screenAt('/ManageTins', 'checked', 'Manage TINs', manageTins),
  screenAt(
    '/EditProfile',
    'checked',
    'Edit Profile',
    lazyRouteComponent(fetched(() => import('@/features/account/EditProfileScreen'))),
  ),
  screenAt('/ManageTinsForUser', 'checked', 'Manage TINs', manageTinsForUser),
  screenAt('/ViewTinsForUser', 'checked', 'View TINs', viewTins),
  screenAt(
    '/AddUser',
    'checked',
    'Add User',
    lazyRouteComponent(fetched(() => import('@/features/users/adding/AddUserPage'))),
    { beforeLoad: takeRequest },
  ),
  screenAt(
    '/ManageUserAddUser',
    'checked',
    'Add User',
    lazyRouteComponent(fetched(() => import('@/features/users/adding/WizardPersonPage'))),
  ),
  screenAt(
    '/AddUserManageTin',
    'checked',
    'Add User',
    lazyRouteComponent(fetched(() => import('@/features/users/adding/WizardTinsPage'))),
  ),
  screenAt(
    '/ManageRosterSourcesForUserGroup',
    'checked',
    'Manage Roster Hub Sources For User Group',
    lazyRouteComponent(fetched(() => import('@/features/rosters/sources/ManageSourcesPage'))),
  ),
  screenAt(
    '/UserSearch',
    'checked',
    'User Search',
    lazyRouteComponent(fetched(() => import('@/features/users/UserSearchPage'))),
  ),
  screenAt(
    '/Notifications',
    'checked',
    'Notifications',
    lazyRouteComponent(fetched(() => import('@/features/notifications/NotificationsPage'))),
  ),

  screenAt(
    '/ManageRecipients',
    'any',
    'Manage Notification Recipients',
    lazyRouteComponent(fetched(() => import('@/features/notifications/ManageRecipientsPage'))),
  ),
  screenAt(
    '/FeeSchedule',
    'any',
    'PPO Fee Schedule',
    lazyRouteComponent(fetched(() => import('@/features/feeschedules/FeeSchedulePage'))),
    { data: 'feeSchedules' },
  ),
  screenAt(
    '/ManageRosters',
    'any',
    'Manage Rosters',
    lazyRouteComponent(fetched(() => import('@/features/rosters/ManageRostersPage'))),
  ),
  screenAt(
    '/ManageGroups',
    'any',
    'Manage Groups',
    lazyRouteComponent(fetched(() => import('@/features/groups/ManageGroupsPage'))),
  ),
  screenAt('/ManageTINsforNNUS', 'any', 'Manage TINs', manageNonNetworkTins),
  screenAt('/News', 'any', 'News', NewsScreen),
  screenAt('/logout', 'any', 'You are logged out', LogoutScreen, {
    // Back and Reload meet the page again: a session that began since then is another one.
    beforeLoad({ location, context }) {
      if (location.state.signedOut && context.session) throw redirect({ to: '/home', replace: true });
    },
  }),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
  // Every part of the kit on one page, while developing.
  ...(import.meta.env.DEV
    ? [screenAt('/dev/kit', 'public', 'Kit', lazyRouteComponent(fetched(() => import('@/ui/dev/KitPage'))))]
    : []),
]);
