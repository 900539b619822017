import {
  createRoute,
  lazyRouteComponent,
  type ParsedLocation,
  type RouteComponent,
  redirect,
  useLocation,
} from '@tanstack/react-router';
import type { Ending, Session } from '@/api/types';
import { moveLinkToState } from '@/features/account/link';
import { LoginContent } from '@/features/content/LoginContent';
import { LoginScreen } from '@/features/sessions/LoginScreen';
import { completeSignIn, getFailureCode, isSignInPending } from '@/features/sessions/signIn';
import type { Data } from '@/shared/intakes';
import type { Access } from './guard';
import { rememberDocument } from './initialUrl';
import { getInterruptedPage, registerLanding } from './landing';
import { root } from './root';
import { loadChunk } from './Unreachable';

/* Every screen: its address, access, title and module. */

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why the session ended, for the sign-in screen. */
    ending?: Ending;
    /** The error code of the failed sign-in. */
    fail?: string;
    /** This visit to the logout page has ended its session. */
    signedOut?: boolean;
  }
}

const createScreenRoute = <Path extends string>(
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
) => {
  const screen = path.replace(/^\//, '') || 'home';
  registerLanding(path, { access, screen });
  return createRoute({
    getParentRoute: () => root,
    path,
    component,
    beforeLoad,
    staticData: { access, title, screen, data },
  });
};

const createSignInRoute = <Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    staticData: { access: 'public', title: 'Sign in', screen: path.replace(/^\//, '') },
    validateSearch: ({ fail, document }: Record<string, unknown>): { fail?: string; document?: string } => ({
      ...(fail !== undefined && { fail: String(fail) }),
      ...(document !== undefined && { document: String(document) }),
    }),
    async beforeLoad({ context: { session }, search: { fail, document } }) {
      if (document) rememberDocument(document);
      // Another tab signed in, so this tab continues too.
      if (session) throw redirect({ ...(await getInterruptedPage(session)), replace: true });
      // The address drops both. A bookmark would show an old error.
      if (fail !== undefined || document)
        throw redirect({ to: '/login', search: {}, state: { fail }, replace: true });
    },
    async loader() {
      if (!isSignInPending()) return;
      try {
        await completeSignIn();
      } catch (error) {
        throw redirect({ to: '/login', state: { fail: getFailureCode(error) }, replace: true });
      }
    },
    pendingMs: 0,
    pendingMinMs: 0,
    pendingComponent: () => <LoginScreen signingIn />,
    component: SignIn,
  });

function SignIn() {
  const { fail, ending } = useLocation().state;
  return <LoginScreen fail={fail} ending={ending} aside={<LoginContent />} />;
}

/** A screen that emails link to. */
const createEmailLinkRoute = <Path extends string>(path: Path, title: string, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component,
    staticData: { access: 'public', title, screen: path.replace(/^\//, '') },
    beforeLoad: moveLinkToState,
  });

/** A screen for signed-in users. */
const lazyPage = (name: keyof typeof import('./screens').screens) =>
  lazyRouteComponent<Record<string, RouteComponent>, 'default'>(
    loadChunk(async () => (await import('./screens')).screens[name]()),
  );

/** The page that adds users loads this on arrival only. */
const loadPrepareVisit = loadChunk(() => import('@/features/users/adding/prepareVisit'));
const prepareAddUser = async (visit: { location: ParsedLocation }) => {
  const { searchStr, state } = visit.location;
  if (searchStr || state.timestamp) (await loadPrepareVisit()).prepareVisit(visit);
};

const home = lazyPage('Home');

const lazySignedOutScreen = (screen: keyof typeof import('@/features/account/signedOut')) =>
  lazyRouteComponent(
    loadChunk(() => import('@/features/account/signedOut')),
    screen,
  );

const notFound = lazyRouteComponent(
  loadChunk(() => import('@/features/support/PageNotFound')),
  'PageNotFound',
);

export const routeTree = root.addChildren([
  createSignInRoute('/login'),
  createSignInRoute('/authenticate'),
  createEmailLinkRoute('/requestAccount', 'Request an Account', lazySignedOutScreen('RequestAccountScreen')),
  createEmailLinkRoute(
    '/emailRegistration',
    'Request an Account',
    lazySignedOutScreen('RequestAccountScreen'),
  ),
  createEmailLinkRoute('/registration', 'Registration', lazySignedOutScreen('RegistrationScreen')),
  createScreenRoute(
    '/registrationComplete',
    'public',
    'Registration',
    lazySignedOutScreen('RegistrationCompleteScreen'),
  ),
  createEmailLinkRoute(
    '/confirmRegistration',
    'Registration',
    lazySignedOutScreen('ConfirmRegistrationScreen'),
  ),
  createEmailLinkRoute('/confirmAddUser', 'Registration', lazySignedOutScreen('ConfirmRegistrationScreen')),
  createScreenRoute(
    '/forgotusernm',
    'public',
    'Forgot Username',
    lazySignedOutScreen('ForgotUsernameScreen'),
  ),
  createScreenRoute(
    '/forgotpassword',
    'public',
    'Reset Password',
    lazySignedOutScreen('ResetPasswordScreen'),
  ),
  createScreenRoute('/resetPassword', 'public', 'Reset Password', lazySignedOutScreen('ResetPasswordScreen')),
  createEmailLinkRoute(
    '/confirmPasswordReset',
    'Reset Password',
    lazySignedOutScreen('ConfirmPasswordResetScreen'),
  ),
  createEmailLinkRoute('/confirmEmail', 'Confirm email address', lazySignedOutScreen('ConfirmEmailScreen')),
  createEmailLinkRoute('/confirmSignIn', 'Confirm sign-in', lazySignedOutScreen('ConfirmSignInScreen')),
  createEmailLinkRoute(
    '/confirmFactorReset',
    'Reset two-step verification',
    lazySignedOutScreen('ConfirmFactorResetScreen'),
  ),
  createEmailLinkRoute(
    '/confirmMailbox',
    'Confirm office mailbox',
    lazySignedOutScreen('ConfirmMailboxScreen'),
  ),
  createEmailLinkRoute('/stopMails', 'Unsubscribe', lazySignedOutScreen('UnsubscribeScreen')),
  createScreenRoute('/PageNotFound', 'public', 'Page not found', notFound),

  createScreenRoute('/', 'checked', 'Home', home),
  createScreenRoute('/home', 'checked', 'Home', home),
  createScreenRoute('/UserProfile', 'checked', 'User Profile', lazyPage('UserProfileScreen')),
  createScreenRoute('/ChangePassword', 'checked', 'Change Password', lazyPage('ChangePasswordScreen')),
  createScreenRoute('/billSearch', 'checked', 'Bill Search', lazyPage('BillSearchPage'), { data: 'bills' }),
  createScreenRoute('/ClaimSearch', 'checked', 'Claim Search', lazyPage('ClaimSearchPage'), {
    data: 'claims',
  }),
  createScreenRoute('/providerResources', 'checked', 'Provider Resources', lazyPage('ProviderResourcesPage')),
  createScreenRoute('/ClientList', 'checked', 'Client List', lazyPage('ClientListPage'), { data: 'clients' }),
  createScreenRoute(
    '/Demographics/DemographicSearch',
    'checked',
    'Provider Demographics',
    lazyPage('DemographicSearchPage'),
    { data: 'providers' },
  ),
  createScreenRoute('/ManageUsers', 'checked', 'Manage Users', lazyPage('ManageUsersPage')),
  createScreenRoute('/ManageTins', 'checked', 'Manage TINs', lazyPage('ManageTinsPage')),
  createScreenRoute('/EditProfile', 'checked', 'Edit Profile', lazyPage('EditProfileScreen')),
  createScreenRoute('/ManageTinsForUser', 'checked', 'Manage TINs', lazyPage('ManageTinsForUserPage')),
  createScreenRoute('/ViewTinsForUser', 'checked', 'View TINs', lazyPage('ViewTinsPage')),
  createScreenRoute('/AddUser', 'checked', 'Add User', lazyPage('AddUserPage'), {
    beforeLoad: prepareAddUser,
  }),
  createScreenRoute('/ManageUserAddUser', 'checked', 'Add User', lazyPage('WizardPersonPage')),
  createScreenRoute('/AddUserManageTin', 'checked', 'Add User', lazyPage('WizardTinsPage')),
  createScreenRoute(
    '/ManageRosterSourcesForUserGroup',
    'checked',
    'Manage Roster Hub Sources For User Group',
    lazyPage('ManageSourcesPage'),
    { beforeLoad: prepareAddUser },
  ),
  createScreenRoute('/UserSearch', 'checked', 'User Search', lazyPage('UserSearchPage')),
  createScreenRoute('/work/bill/$id', 'checked', 'Bill', lazyPage('BillPage'), { data: 'bills' }),
  createScreenRoute('/work/find-many', 'checked', 'Bulk lookup', lazyPage('FindManyPage')),
  createScreenRoute('/Notifications', 'checked', 'Notifications', lazyPage('NotificationsPage')),
  createScreenRoute('/work', 'checked', 'Today', lazyPage('TodayPage'), { data: 'bills' }),
  createScreenRoute('/work/mails', 'checked', 'Email settings', lazyPage('EmailSettingsPage')),
  createScreenRoute('/work/bills', 'checked', 'Open bills', lazyPage('OpenBillsPage'), { data: 'bills' }),
  createScreenRoute('/work/bills/$id', 'checked', 'Open bills', lazyPage('OpenBillsPage'), { data: 'bills' }),
  createScreenRoute('/work/remittances', 'checked', 'Remittances', lazyPage('RemittancesPage'), {
    data: 'bills',
  }),
  createScreenRoute('/work/remittance/$id', 'checked', 'Remittance', lazyPage('RemittancePage'), {
    data: 'bills',
  }),
  createScreenRoute('/work/reasons', 'checked', 'Reason codes', lazyPage('ReasonsPage')),
  createScreenRoute('/work/users/tins', 'checked', 'Bulk TIN update', lazyPage('BulkTinsPage')),
  createScreenRoute('/work/users/file', 'checked', 'Import users', lazyPage('UsersFilePage')),
  createScreenRoute('/work/access', 'checked', 'Access review', lazyPage('AccessReviewPage')),
  createScreenRoute('/work/visits', 'checked', 'Network access log', lazyPage('VisitsPage')),
  createScreenRoute('/desk', 'checked', 'Service desk', lazyPage('DeskPage')),
  createScreenRoute('/desk/bill/$id', 'checked', 'Bill', lazyPage('DeskBillPage'), { data: 'bills' }),
  createScreenRoute('/desk/remittance/$id', 'checked', 'Remittance', lazyPage('DeskRemittancePage'), {
    data: 'bills',
  }),
  createScreenRoute('/desk/requests', 'checked', 'Account requests', lazyPage('DeskRequestsPage')),
  createScreenRoute('/desk/mails', 'checked', 'Failed emails', lazyPage('DeskFailedEmailsPage')),
  createScreenRoute('/desk/jobs', 'checked', 'Failed jobs', lazyPage('DeskJobsPage')),
  createScreenRoute('/desk/drafts', 'checked', 'Draft accounts', lazyPage('DeskDraftsPage')),
  createScreenRoute('/desk/groups', 'checked', 'Groups', lazyPage('DeskGroupsPage')),
  createScreenRoute('/desk/reasons', 'checked', 'Manage reason codes', lazyPage('DeskReasonsPage')),
  createScreenRoute('/desk/rosters', 'checked', 'Rosters', lazyPage('DeskRostersPage')),
  createScreenRoute('/desk/health', 'checked', 'System status', lazyPage('DeskHealthPage')),
  createScreenRoute('/desk/rules', 'checked', 'Deadline rules', lazyPage('DeskRulesPage')),
  createScreenRoute('/desk/status', 'checked', 'Announcement', lazyPage('DeskStatusPage')),
  createScreenRoute('/desk/feeds', 'checked', 'Imports', lazyPage('DeskFeedsPage')),
  createScreenRoute('/desk/quality', 'checked', 'Data quality', lazyPage('DeskQualityPage')),
  createScreenRoute('/desk/unmatched', 'checked', 'Unmatched payments', lazyPage('UnmatchedPage')),
  createScreenRoute('/desk/reviews', 'checked', 'Access reviews', lazyPage('DeskReviewsPage')),

  createScreenRoute(
    '/ManageRecipients',
    'any',
    'Manage Notification Recipients',
    lazyPage('ManageRecipientsPage'),
  ),
  createScreenRoute('/FeeSchedule', 'any', 'PPO Fee Schedule', lazyPage('FeeSchedulePage'), {
    data: 'feeSchedules',
  }),
  createScreenRoute('/ManageRosters', 'any', 'Manage Rosters', lazyPage('ManageRostersPage')),
  createScreenRoute('/ManageGroups', 'any', 'Manage Groups', lazyPage('ManageGroupsPage')),
  createScreenRoute('/AuditLog', 'any', 'Audit log', lazyPage('AuditLogPage')),
  createScreenRoute('/TinSharing', 'any', 'TIN sharing', lazyPage('TinSharingPage')),
  createScreenRoute('/SignInAndSecurity', 'any', 'Sign-in and security', lazyPage('SignInAndSecurityScreen')),
  createScreenRoute('/ManageTINsforNNUS', 'any', 'Manage TINs', lazyPage('ManageNonNetworkTinsPage')),
  createScreenRoute('/News', 'any', 'News', lazyPage('NewsScreen')),
  createScreenRoute('/logout', 'any', 'You are logged out', lazyPage('LogoutScreen'), {
    // Back and Reload open the page again, possibly with a session that began since then.
    beforeLoad({ location, context }) {
      if (location.state.signedOut && context.session) throw redirect({ to: '/home', replace: true });
    },
  }),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
  // All UI kit components on one page, for development.
  ...(import.meta.env.DEV
    ? [
        createScreenRoute(
          '/dev/kit',
          'public',
          'Kit',
          lazyRouteComponent(loadChunk(() => import('@/ui/dev/KitPage'))),
        ),
      ]
    : []),
]);
