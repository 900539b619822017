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
import { completeSignIn, failureCode, signInPending } from '@/features/sessions/signIn';
import type { Data } from '@/shared/intakes';
import type { Access } from './guard';
import { rememberDocument } from './initialUrl';
import { getInterruptedPage, registerLanding } from './landing';
import { root } from './root';
import { loadOrExplain } from './Unreachable';

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

const signInAt = <Path extends string>(path: Path) =>
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
      if (!signInPending()) return;
      try {
        await completeSignIn();
      } catch (error) {
        throw redirect({ to: '/login', state: { fail: failureCode(error) }, replace: true });
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
const mailedAt = <Path extends string>(path: Path, title: string, component: RouteComponent) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component,
    staticData: { access: 'public', title, screen: path.replace(/^\//, '') },
    beforeLoad: moveLinkToState,
  });

/** A screen for signed-in users. */
const page = (name: keyof typeof import('./screens').screens) =>
  lazyRouteComponent<Record<string, RouteComponent>, 'default'>(
    loadOrExplain(async () => (await import('./screens')).screens[name]()),
  );

/** The page that adds users loads this on arrival only. */
const arriving = loadOrExplain(() => import('@/features/users/adding/prepareVisit'));
const adding = async (visit: { location: ParsedLocation }) => {
  const { searchStr, state } = visit.location;
  if (searchStr || state.timestamp) (await arriving()).prepareVisit(visit);
};

const home = page('Home');

const signedOut = (screen: keyof typeof import('@/features/account/signedOut')) =>
  lazyRouteComponent(
    loadOrExplain(() => import('@/features/account/signedOut')),
    screen,
  );

const notFound = lazyRouteComponent(
  loadOrExplain(() => import('@/features/support/PageNotFound')),
  'PageNotFound',
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
  mailedAt('/confirmEmail', 'Confirm email address', signedOut('ConfirmEmailScreen')),
  mailedAt('/confirmSignIn', 'Confirm sign-in', signedOut('ConfirmSignInScreen')),
  mailedAt('/confirmFactorReset', 'Reset two-step verification', signedOut('ConfirmFactorResetScreen')),
  mailedAt('/confirmMailbox', 'Confirm office mailbox', signedOut('ConfirmMailboxScreen')),
  mailedAt('/stopMails', 'Unsubscribe', signedOut('UnsubscribeScreen')),
  screenAt('/PageNotFound', 'public', 'Page not found', notFound),

  screenAt('/', 'checked', 'Home', home),
  screenAt('/home', 'checked', 'Home', home),
  screenAt('/UserProfile', 'checked', 'User Profile', page('UserProfileScreen')),
  screenAt('/ChangePassword', 'checked', 'Change Password', page('ChangePasswordScreen')),
  screenAt('/billSearch', 'checked', 'Bill Search', page('BillSearchPage'), { data: 'bills' }),
  screenAt('/ClaimSearch', 'checked', 'Claim Search', page('ClaimSearchPage'), { data: 'claims' }),
  screenAt('/providerResources', 'checked', 'Provider Resources', page('ProviderResourcesPage')),
  screenAt('/ClientList', 'checked', 'Client List', page('ClientListPage'), { data: 'clients' }),
  screenAt(
    '/Demographics/DemographicSearch',
    'checked',
    'Provider Demographics',
    page('DemographicSearchPage'),
    { data: 'providers' },
  ),
  screenAt('/ManageUsers', 'checked', 'Manage Users', page('ManageUsersPage')),
  screenAt('/ManageTins', 'checked', 'Manage TINs', page('ManageTinsPage')),
  screenAt('/EditProfile', 'checked', 'Edit Profile', page('EditProfileScreen')),
  screenAt('/ManageTinsForUser', 'checked', 'Manage TINs', page('ManageTinsForUserPage')),
  screenAt('/ViewTinsForUser', 'checked', 'View TINs', page('ViewTinsPage')),
  screenAt('/AddUser', 'checked', 'Add User', page('AddUserPage'), { beforeLoad: adding }),
  screenAt('/ManageUserAddUser', 'checked', 'Add User', page('WizardPersonPage')),
  screenAt('/AddUserManageTin', 'checked', 'Add User', page('WizardTinsPage')),
  screenAt(
    '/ManageRosterSourcesForUserGroup',
    'checked',
    'Manage Roster Hub Sources For User Group',
    page('ManageSourcesPage'),
    { beforeLoad: adding },
  ),
  screenAt('/UserSearch', 'checked', 'User Search', page('UserSearchPage')),
  screenAt('/work/bill/$id', 'checked', 'Bill', page('BillPage'), { data: 'bills' }),
  screenAt('/work/find-many', 'checked', 'Bulk lookup', page('FindManyPage')),
  screenAt('/Notifications', 'checked', 'Notifications', page('NotificationsPage')),
  screenAt('/work', 'checked', 'Today', page('TodayPage'), { data: 'bills' }),
  screenAt('/work/mails', 'checked', 'Email settings', page('EmailSettingsPage')),
  screenAt('/work/bills', 'checked', 'Open bills', page('OpenBillsPage'), { data: 'bills' }),
  screenAt('/work/bills/$id', 'checked', 'Open bills', page('OpenBillsPage'), { data: 'bills' }),
  screenAt('/work/remittances', 'checked', 'Remittances', page('RemittancesPage'), { data: 'bills' }),
  screenAt('/work/remittance/$id', 'checked', 'Remittance', page('RemittancePage'), { data: 'bills' }),
  screenAt('/work/reasons', 'checked', 'Reason codes', page('ReasonsPage')),
  screenAt('/work/users/tins', 'checked', 'Bulk TIN update', page('BulkTinsPage')),
  screenAt('/work/users/file', 'checked', 'Import users', page('UsersFilePage')),
  screenAt('/work/access', 'checked', 'Access review', page('AccessReviewPage')),
  screenAt('/work/visits', 'checked', 'Network access log', page('VisitsPage')),
  screenAt('/desk', 'checked', 'Service desk', page('DeskPage')),
  screenAt('/desk/bill/$id', 'checked', 'Bill', page('DeskBillPage'), { data: 'bills' }),
  screenAt('/desk/remittance/$id', 'checked', 'Remittance', page('DeskRemittancePage'), { data: 'bills' }),
  screenAt('/desk/requests', 'checked', 'Account requests', page('DeskRequestsPage')),
  screenAt('/desk/mails', 'checked', 'Failed emails', page('DeskFailedEmailsPage')),
  screenAt('/desk/jobs', 'checked', 'Failed jobs', page('DeskJobsPage')),
  screenAt('/desk/drafts', 'checked', 'Draft accounts', page('DeskDraftsPage')),
  screenAt('/desk/groups', 'checked', 'Groups', page('DeskGroupsPage')),
  screenAt('/desk/reasons', 'checked', 'Manage reason codes', page('DeskReasonsPage')),
  screenAt('/desk/rosters', 'checked', 'Rosters', page('DeskRostersPage')),
  screenAt('/desk/health', 'checked', 'System status', page('DeskHealthPage')),
  screenAt('/desk/rules', 'checked', 'Deadline rules', page('DeskRulesPage')),
  screenAt('/desk/status', 'checked', 'Announcement', page('DeskStatusPage')),
  screenAt('/desk/feeds', 'checked', 'Imports', page('DeskFeedsPage')),
  screenAt('/desk/quality', 'checked', 'Data quality', page('DeskQualityPage')),
  screenAt('/desk/unmatched', 'checked', 'Unmatched payments', page('UnmatchedPage')),
  screenAt('/desk/reviews', 'checked', 'Access reviews', page('DeskReviewsPage')),

  screenAt('/ManageRecipients', 'any', 'Manage Notification Recipients', page('ManageRecipientsPage')),
  screenAt('/FeeSchedule', 'any', 'PPO Fee Schedule', page('FeeSchedulePage'), { data: 'feeSchedules' }),
  screenAt('/ManageRosters', 'any', 'Manage Rosters', page('ManageRostersPage')),
  screenAt('/ManageGroups', 'any', 'Manage Groups', page('ManageGroupsPage')),
  screenAt('/AuditLog', 'any', 'Audit log', page('AuditLogPage')),
  screenAt('/TinSharing', 'any', 'TIN sharing', page('TinSharingPage')),
  screenAt('/SignInAndSecurity', 'any', 'Sign-in and security', page('SignInAndSecurityScreen')),
  screenAt('/ManageTINsforNNUS', 'any', 'Manage TINs', page('ManageNonNetworkTinsPage')),
  screenAt('/News', 'any', 'News', page('NewsScreen')),
  screenAt('/logout', 'any', 'You are logged out', page('LogoutScreen'), {
    // Back and Reload open the page again, possibly with a session that began since then.
    beforeLoad({ location, context }) {
      if (location.state.signedOut && context.session) throw redirect({ to: '/home', replace: true });
    },
  }),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
  // All UI kit components on one page, for development.
  ...(import.meta.env.DEV
    ? [
        screenAt(
          '/dev/kit',
          'public',
          'Kit',
          lazyRouteComponent(loadOrExplain(() => import('@/ui/dev/KitPage'))),
        ),
      ]
    : []),
]);
