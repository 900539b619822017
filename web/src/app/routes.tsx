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
import * as paths from '@/shared/paths';
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
        throw redirect({ to: paths.login, search: {}, state: { fail }, replace: true });
    },
    async loader() {
      if (!isSignInPending()) return;
      try {
        await completeSignIn();
      } catch (error) {
        throw redirect({ to: paths.login, state: { fail: getFailureCode(error) }, replace: true });
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
  createSignInRoute(paths.login),
  createSignInRoute(paths.authenticate),
  createEmailLinkRoute(
    paths.requestAccount,
    'Request an Account',
    lazySignedOutScreen('RequestAccountScreen'),
  ),
  createEmailLinkRoute(
    paths.emailRegistration,
    'Request an Account',
    lazySignedOutScreen('RequestAccountScreen'),
  ),
  createEmailLinkRoute(paths.registration, 'Registration', lazySignedOutScreen('RegistrationScreen')),
  createScreenRoute(
    paths.registrationComplete,
    'public',
    'Registration',
    lazySignedOutScreen('RegistrationCompleteScreen'),
  ),
  createEmailLinkRoute(
    paths.confirmRegistration,
    'Registration',
    lazySignedOutScreen('ConfirmRegistrationScreen'),
  ),
  createEmailLinkRoute(
    paths.confirmAddUser,
    'Registration',
    lazySignedOutScreen('ConfirmRegistrationScreen'),
  ),
  createScreenRoute(
    paths.forgotUsername,
    'public',
    'Forgot Username',
    lazySignedOutScreen('ForgotUsernameScreen'),
  ),
  createScreenRoute(
    paths.forgotPassword,
    'public',
    'Reset Password',
    lazySignedOutScreen('ResetPasswordScreen'),
  ),
  createScreenRoute(
    paths.resetPassword,
    'public',
    'Reset Password',
    lazySignedOutScreen('ResetPasswordScreen'),
  ),
  createEmailLinkRoute(
    paths.confirmPasswordReset,
    'Reset Password',
    lazySignedOutScreen('ConfirmPasswordResetScreen'),
  ),
  createEmailLinkRoute(
    paths.confirmEmail,
    'Confirm email address',
    lazySignedOutScreen('ConfirmEmailScreen'),
  ),
  createEmailLinkRoute(paths.confirmSignIn, 'Confirm sign-in', lazySignedOutScreen('ConfirmSignInScreen')),
  createEmailLinkRoute(
    paths.confirmFactorReset,
    'Reset two-step verification',
    lazySignedOutScreen('ConfirmFactorResetScreen'),
  ),
  createEmailLinkRoute(
    paths.confirmMailbox,
    'Confirm office mailbox',
    lazySignedOutScreen('ConfirmMailboxScreen'),
  ),
  createEmailLinkRoute(paths.unsubscribe, 'Unsubscribe', lazySignedOutScreen('UnsubscribeScreen')),
  createScreenRoute(paths.pageNotFound, 'public', 'Page not found', notFound),

  createScreenRoute(paths.start, 'checked', 'Home', home),
  createScreenRoute(paths.home, 'checked', 'Home', home),
  createScreenRoute(paths.userProfile, 'checked', 'User Profile', lazyPage('UserProfileScreen')),
  createScreenRoute(paths.changePassword, 'checked', 'Change Password', lazyPage('ChangePasswordScreen')),
  createScreenRoute(paths.billSearch, 'checked', 'Bill Search', lazyPage('BillSearchPage'), {
    data: 'bills',
  }),
  createScreenRoute(paths.claimSearch, 'checked', 'Claim Search', lazyPage('ClaimSearchPage'), {
    data: 'claims',
  }),
  createScreenRoute(
    paths.providerResources,
    'checked',
    'Provider Resources',
    lazyPage('ProviderResourcesPage'),
  ),
  createScreenRoute(paths.clientList, 'checked', 'Client List', lazyPage('ClientListPage'), {
    data: 'clients',
  }),
  createScreenRoute(
    paths.demographicSearch,
    'checked',
    'Provider Demographics',
    lazyPage('DemographicSearchPage'),
    { data: 'providers' },
  ),
  createScreenRoute(paths.manageUsers, 'checked', 'Manage Users', lazyPage('ManageUsersPage')),
  createScreenRoute(paths.manageTins, 'checked', 'Manage TINs', lazyPage('ManageTinsPage')),
  createScreenRoute(paths.editProfile, 'checked', 'Edit Profile', lazyPage('EditProfileScreen')),
  createScreenRoute(paths.manageTinsForUser, 'checked', 'Manage TINs', lazyPage('ManageTinsForUserPage')),
  createScreenRoute(paths.viewTins, 'checked', 'View TINs', lazyPage('ViewTinsPage')),
  createScreenRoute(paths.addUser, 'checked', 'Add User', lazyPage('AddUserPage'), {
    beforeLoad: prepareAddUser,
  }),
  createScreenRoute(paths.wizardPerson, 'checked', 'Add User', lazyPage('WizardPersonPage')),
  createScreenRoute(paths.wizardTins, 'checked', 'Add User', lazyPage('WizardTinsPage')),
  createScreenRoute(
    paths.manageSources,
    'checked',
    'Manage Roster Hub Sources For User Group',
    lazyPage('ManageSourcesPage'),
    { beforeLoad: prepareAddUser },
  ),
  createScreenRoute(paths.userSearch, 'checked', 'User Search', lazyPage('UserSearchPage')),
  createScreenRoute(paths.bill, 'checked', 'Bill', lazyPage('BillPage'), { data: 'bills' }),
  createScreenRoute(paths.bulkLookup, 'checked', 'Bulk lookup', lazyPage('FindManyPage')),
  createScreenRoute(paths.notifications, 'checked', 'Notifications', lazyPage('NotificationsPage')),
  createScreenRoute(paths.today, 'checked', 'Today', lazyPage('TodayPage'), { data: 'bills' }),
  createScreenRoute(paths.emailSettings, 'checked', 'Email settings', lazyPage('EmailSettingsPage')),
  createScreenRoute(paths.openBills, 'checked', 'Open bills', lazyPage('OpenBillsPage'), { data: 'bills' }),
  createScreenRoute(paths.openBillsView, 'checked', 'Open bills', lazyPage('OpenBillsPage'), {
    data: 'bills',
  }),
  createScreenRoute(paths.remittances, 'checked', 'Remittances', lazyPage('RemittancesPage'), {
    data: 'bills',
  }),
  createScreenRoute(paths.remittance, 'checked', 'Remittance', lazyPage('RemittancePage'), {
    data: 'bills',
  }),
  createScreenRoute(paths.reasonCodes, 'checked', 'Reason codes', lazyPage('ReasonsPage')),
  createScreenRoute(paths.bulkTins, 'checked', 'Bulk TIN update', lazyPage('BulkTinsPage')),
  createScreenRoute(paths.importUsers, 'checked', 'Import users', lazyPage('UsersFilePage')),
  createScreenRoute(paths.accessReview, 'checked', 'Access review', lazyPage('AccessReviewPage')),
  createScreenRoute(paths.accessLog, 'checked', 'Network access log', lazyPage('VisitsPage')),
  createScreenRoute(paths.desk, 'checked', 'Service desk', lazyPage('DeskPage')),
  createScreenRoute(paths.deskBill, 'checked', 'Bill', lazyPage('DeskBillPage'), { data: 'bills' }),
  createScreenRoute(paths.deskRemittance, 'checked', 'Remittance', lazyPage('DeskRemittancePage'), {
    data: 'bills',
  }),
  createScreenRoute(paths.deskRequests, 'checked', 'Account requests', lazyPage('DeskRequestsPage')),
  createScreenRoute(paths.deskFailedEmails, 'checked', 'Failed emails', lazyPage('DeskFailedEmailsPage')),
  createScreenRoute(paths.deskJobs, 'checked', 'Failed jobs', lazyPage('DeskJobsPage')),
  createScreenRoute(paths.deskDrafts, 'checked', 'Draft accounts', lazyPage('DeskDraftsPage')),
  createScreenRoute(paths.deskGroups, 'checked', 'Groups', lazyPage('DeskGroupsPage')),
  createScreenRoute(paths.deskReasons, 'checked', 'Manage reason codes', lazyPage('DeskReasonsPage')),
  createScreenRoute(paths.deskRosters, 'checked', 'Rosters', lazyPage('DeskRostersPage')),
  createScreenRoute(paths.deskHealth, 'checked', 'System status', lazyPage('DeskHealthPage')),
  createScreenRoute(paths.deskRules, 'checked', 'Deadline rules', lazyPage('DeskRulesPage')),
  createScreenRoute(paths.deskAnnouncement, 'checked', 'Announcement', lazyPage('DeskStatusPage')),
  createScreenRoute(paths.deskFeeds, 'checked', 'Imports', lazyPage('DeskFeedsPage')),
  createScreenRoute(paths.deskQuality, 'checked', 'Data quality', lazyPage('DeskQualityPage')),
  createScreenRoute(paths.deskUnmatched, 'checked', 'Unmatched payments', lazyPage('UnmatchedPage')),
  createScreenRoute(paths.deskReviews, 'checked', 'Access reviews', lazyPage('DeskReviewsPage')),

  createScreenRoute(
    paths.manageRecipients,
    'any',
    'Manage Notification Recipients',
    lazyPage('ManageRecipientsPage'),
  ),
  createScreenRoute(paths.feeSchedule, 'any', 'PPO Fee Schedule', lazyPage('FeeSchedulePage'), {
    data: 'feeSchedules',
  }),
  createScreenRoute(paths.manageRosters, 'any', 'Manage Rosters', lazyPage('ManageRostersPage')),
  createScreenRoute(paths.manageGroups, 'any', 'Manage Groups', lazyPage('ManageGroupsPage')),
  createScreenRoute(paths.auditLog, 'any', 'Audit log', lazyPage('AuditLogPage')),
  createScreenRoute(paths.tinSharing, 'any', 'TIN sharing', lazyPage('TinSharingPage')),
  createScreenRoute(
    paths.signInAndSecurity,
    'any',
    'Sign-in and security',
    lazyPage('SignInAndSecurityScreen'),
  ),
  createScreenRoute(paths.manageNonNetworkTins, 'any', 'Manage TINs', lazyPage('ManageNonNetworkTinsPage')),
  createScreenRoute(paths.news, 'any', 'News', lazyPage('NewsScreen')),
  createScreenRoute(paths.logout, 'any', 'You are logged out', lazyPage('LogoutScreen'), {
    // Back and Reload open the page again, possibly with a session that began since then.
    beforeLoad({ location, context }) {
      if (location.state.signedOut && context.session) throw redirect({ to: paths.home, replace: true });
    },
  }),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
  // All UI kit components on one page, for development.
  ...(import.meta.env.DEV
    ? [
        createScreenRoute(
          paths.uiKit,
          'public',
          'Kit',
          lazyRouteComponent(loadChunk(() => import('@/ui/dev/KitPage'))),
        ),
      ]
    : []),
]);
