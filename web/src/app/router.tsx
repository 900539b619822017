import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  type RouteComponent,
  redirect,
  useLocation,
} from '@tanstack/react-router';
import { config } from '@/api/config';
import {
  currentSession,
  type Ending,
  mayBeSignedIn,
  onSessionChange,
  restoreSession,
  signOut,
} from '@/api/session';
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
import { Failed } from '@/ui/PageState';
import { Frame, loadShell } from './Frame';
import { type Access, judge } from './guard';
import { rememberInitialUrl, takeInitialUrl } from './initialUrl';
import { SignedOutFrame } from './SignedOutFrame';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    access?: Access;
    /** The name under which the server lists the screen. */
    screen?: string;
    title?: string;
    /** What the screen shows that comes in by feeds. */
    data?: Data;
  }
  interface HistoryState {
    /** Why the session ended, for the sign-in screen. */
    ending?: Ending;
  }
}

// The logout page stays shown after it ended the session; a new visit to it does not.
let loggedOutHere = false;

const root = createRootRoute({
  async beforeLoad({ location, matches }) {
    const { access = 'unknown', screen = '' } = matches.at(-1)?.staticData ?? {};
    const session = await knownSession(access);
    loggedOutHere &&= screen === 'logout';
    if (!session) rememberInitialUrl(location.publicHref, screen, access);

    switch (judge(access, screen, session)) {
      case 'sign-in':
        if (loggedOutHere) break;
        throw redirect({ to: '/login', replace: true });
      case 'not-found':
        throw redirect({ to: '/PageNotFound', replace: true });
      case 'refuse':
        // Back and forward may meet pages of whoever was acting before; only new visits are refused.
        if (isBeforeMirror(location.state.__TSR_index)) throw redirect({ to: '/home', replace: true });
        void signOut({ reason: 'refused' });
        throw redirect({ to: '/login', replace: true, state: { ending: { reason: 'refused' } } });
      case 'open':
        if (session) await loadShell();
    }
    return { session };
  },
  component: Frame,
  errorComponent: () => (
    <SignedOutFrame>
      <title>{config().brandName}</title>
      <h1 className="visually-hidden">{config().brandName}</h1>
      <Failed
        message="The portal cannot be reached. Please try again in a moment."
        onRetry={() => router.invalidate()}
      />
    </SignedOutFrame>
  ),
});

/** The session, asked for where the page needs one or where this browser may hold one. */
async function knownSession(access: Access): Promise<Session | null> {
  if (signInPending()) return null;
  return access !== 'public' || mayBeSignedIn() ? restoreSession() : currentSession();
}

const screenAt = <Path extends string>(
  path: Path,
  access: Access,
  title: string,
  component: RouteComponent,
  { beforeLoad, data }: { beforeLoad?: (visit: { location: ParsedLocation }) => void; data?: Data } = {},
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

const home = lazyRouteComponent(() => import('./Home'));

const billSearch = lazyRouteComponent(() => import('@/features/bills/BillSearchPage'));

const manageTins = lazyRouteComponent(() => import('@/features/tins/ManageTinsPage'));
const manageTinsForUser = lazyRouteComponent(() => import('@/features/tins/ManageTinsForUserPage'));
const viewTins = lazyRouteComponent(() => import('@/features/tins/ViewTinsPage'));
const manageNonNetworkTins = lazyRouteComponent(() => import('@/features/tins/ManageNonNetworkTinsPage'));

const signedOut = (screen: keyof typeof import('@/features/account/signedOut')) =>
  lazyRouteComponent(() => import('@/features/account/signedOut'), screen);

const routeTree = root.addChildren([
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
    lazyRouteComponent(() => import('@/features/account/UserProfileScreen')),
  ),
  screenAt(
    '/ChangePassword',
    'checked',
    'Change Password',
    lazyRouteComponent(() => import('@/features/account/ChangePasswordScreen')),
  ),
  screenAt('/billSearch', 'checked', 'Bill Search', billSearch, { data: 'bills' }),
  screenAt(
    '/ClaimSearch',
    'checked',
    'Claim Search',
    lazyRouteComponent(() => import('@/features/claims/ClaimSearchPage')),
    { data: 'claims' },
  ),
  screenAt(
    '/providerResources',
    'checked',
    'Provider Resources',
    lazyRouteComponent(() => import('@/features/resources/ProviderResourcesPage')),
  ),
  screenAt(
    '/ClientList',
    'checked',
    'Client List',
    lazyRouteComponent(() => import('@/features/clients/ClientListPage')),
    { data: 'clients' },
  ),
  screenAt(
    '/Demographics/DemographicSearch',
    'checked',
    'Provider Demographics',
    lazyRouteComponent(() => import('@/features/directory/DemographicSearchPage')),
    { data: 'providers' },
  ),
  screenAt(
    '/ManageUsers',
    'checked',
    'Manage Users',
    lazyRouteComponent(() => import('@/features/users/ManageUsersPage')),
  ),
  screenAt('/ManageTins', 'checked', 'Manage TINs', manageTins),
  screenAt(
    '/EditProfile',
    'checked',
    'Edit Profile',
    lazyRouteComponent(() => import('@/features/account/EditProfileScreen')),
  ),
  screenAt('/ManageTinsForUser', 'checked', 'Manage TINs', manageTinsForUser),
  screenAt('/ViewTinsForUser', 'checked', 'View TINs', viewTins),
  screenAt(
    '/AddUser',
    'checked',
    'Add User',
    lazyRouteComponent(() => import('@/features/users/adding/AddUserPage')),
    { beforeLoad: takeRequest },
  ),
  screenAt(
    '/ManageUserAddUser',
    'checked',
    'Add User',
    lazyRouteComponent(() => import('@/features/users/adding/WizardPersonPage')),
  ),
  screenAt(
    '/AddUserManageTin',
    'checked',
    'Add User',
    lazyRouteComponent(() => import('@/features/users/adding/WizardTinsPage')),
  ),
  screenAt(
    '/ManageRosterSourcesForUserGroup',
    'checked',
    'Manage Roster Hub Sources For User Group',
    lazyRouteComponent(() => import('@/features/rosters/sources/ManageSourcesPage')),
  ),
  screenAt(
    '/UserSearch',
    'checked',
    'User Search',
    lazyRouteComponent(() => import('@/features/users/UserSearchPage')),
  ),
  screenAt(
    '/Notifications',
    'checked',
    'Notifications',
    lazyRouteComponent(() => import('@/features/notifications/NotificationsPage')),
  ),

  screenAt(
    '/ManageRecipients',
    'any',
    'Manage Notification Recipients',
    lazyRouteComponent(() => import('@/features/notifications/ManageRecipientsPage')),
  ),
  screenAt(
    '/FeeSchedule',
    'any',
    'PPO Fee Schedule',
    lazyRouteComponent(() => import('@/features/feeschedules/FeeSchedulePage')),
    { data: 'feeSchedules' },
  ),
  screenAt(
    '/ManageRosters',
    'any',
    'Manage Rosters',
    lazyRouteComponent(() => import('@/features/rosters/ManageRostersPage')),
  ),
  screenAt(
    '/ManageGroups',
    'any',
    'Manage Groups',
    lazyRouteComponent(() => import('@/features/groups/ManageGroupsPage')),
  ),
  screenAt('/ManageTINsforNNUS', 'any', 'Manage TINs', manageNonNetworkTins),
  screenAt('/News', 'any', 'News', NewsScreen),
  screenAt('/logout', 'any', 'You are logged out', LogoutScreen),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
  // Every part of the kit on one page, while developing.
  ...(import.meta.env.DEV
    ? [
        screenAt(
          '/dev/kit',
          'public',
          'Kit',
          lazyRouteComponent(() => import('@/ui/dev/KitPage')),
        ),
      ]
    : []),
]);

export const router = createRouter({
  routeTree,
  basepath: '/wcpp',
  scrollRestoration: true,
  // A preload runs the guard, and the guard may end the session.
  defaultPreload: false,
});

/** Takes the browser where a change of the session leads. */
onSessionChange((change) => {
  switch (change.type) {
    case 'started':
      return void router.navigate({ href: landing(takeInitialUrl(), currentSession()), replace: true });
    case 'changed':
      return void router.invalidate();
    case 'mirror':
      rememberMirror();
      return void router.navigate({ to: '/home', replace: true });
    case 'ended':
      if (change.ending.reason === 'signed-out') {
        loggedOutHere = true;
        return void router.navigate({ to: '/logout', replace: true });
      }
      return void router.navigate({ to: '/login', replace: true, state: { ending: change.ending } });
  }
});

/** Where sign-in leads: the page first asked for, when it is one this account may open; else home. */
export function landing(initialUrl: string | null, session: Session | null): string {
  const path = initialUrl?.match(/^\/wcpp(\/[^?#]*)/)?.[1];
  const route = Object.values(router.routesByPath).find(({ fullPath }) => fullPath === path);
  const { access = 'public', screen = '' } = route?.options.staticData ?? {};
  const welcome = access !== 'public' && screen !== 'logout' && judge(access, screen, session) === 'open';
  return welcome && initialUrl ? initialUrl : '/wcpp/home';
}

const mirrorKey = 'wcpp.mirrorAt';

function rememberMirror() {
  sessionStorage.setItem(mirrorKey, String(router.history.location.state.__TSR_index));
}

function isBeforeMirror(index: number): boolean {
  return index < Number(sessionStorage.getItem(mirrorKey) ?? 0);
}

/** A new screen is read from its top: the focus goes to its heading, as on a page that was loaded. */
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (!fromLocation || !pathChanged) return;
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
});
