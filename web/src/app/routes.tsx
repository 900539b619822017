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

/*
 * Every screen: its address, access, title and module. Screens in the Workspace menu have the
 * menu's label as title.
 */

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

/** The module of a screen for signed-in users. */
const lazyPage = (path: string) =>
  lazyRouteComponent<Record<string, RouteComponent>, 'default'>(
    loadChunk(async () => {
      const list = paths.isWorkspace(path) ? import('./workspaceScreens') : import('./screens');
      return (await list).loadScreen(path);
    }),
  );

interface ScreenOptions {
  beforeLoad?: (visit: { location: ParsedLocation; context: { session: Session | null } }) => void;
  data?: Data;
  /** Screens of signed-in users are in screens.ts and workspaceScreens.ts. */
  component?: RouteComponent;
}

const createScreenRoute = <Path extends string>(
  path: Path,
  access: Access,
  title = '',
  { beforeLoad, data, component = lazyPage(path) }: ScreenOptions = {},
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

/** The page that adds users loads this on arrival only. */
const loadPrepareVisit = loadChunk(() => import('@/features/users/adding/prepareVisit'));
const prepareAddUser = async (visit: { location: ParsedLocation }) => {
  const { searchStr, state } = visit.location;
  if (searchStr || state.timestamp) (await loadPrepareVisit()).prepareVisit(visit);
};

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
  createScreenRoute(paths.registrationComplete, 'public', 'Registration', {
    component: lazySignedOutScreen('RegistrationCompleteScreen'),
  }),
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
  createScreenRoute(paths.forgotUsername, 'public', 'Forgot Username', {
    component: lazySignedOutScreen('ForgotUsernameScreen'),
  }),
  createScreenRoute(paths.forgotPassword, 'public', 'Reset Password', {
    component: lazySignedOutScreen('ResetPasswordScreen'),
  }),
  createScreenRoute(paths.resetPassword, 'public', 'Reset Password', {
    component: lazySignedOutScreen('ResetPasswordScreen'),
  }),
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
  createScreenRoute(paths.pageNotFound, 'public', 'Page not found', { component: notFound }),

  createScreenRoute(paths.start, 'checked', 'Home'),
  createScreenRoute(paths.home, 'checked', 'Home'),
  createScreenRoute(paths.userProfile, 'checked', 'User Profile'),
  createScreenRoute(paths.changePassword, 'checked', 'Change Password'),
  createScreenRoute(paths.billSearch, 'checked', 'Bill Search', {
    data: 'bills',
  }),
  createScreenRoute(paths.claimSearch, 'checked', 'Claim Search', {
    data: 'claims',
  }),
  createScreenRoute(paths.providerResources, 'checked', 'Provider Resources'),
  createScreenRoute(paths.clientList, 'checked', 'Client List', {
    data: 'clients',
  }),
  createScreenRoute(paths.demographicSearch, 'checked', 'Provider Demographics', { data: 'providers' }),
  createScreenRoute(paths.manageUsers, 'checked', 'Manage Users'),
  createScreenRoute(paths.manageTins, 'checked', 'Manage TINs'),
  createScreenRoute(paths.editProfile, 'checked', 'Edit Profile'),
  createScreenRoute(paths.manageTinsForUser, 'checked', 'Manage TINs'),
  createScreenRoute(paths.viewTins, 'checked', 'View TINs'),
  createScreenRoute(paths.addUser, 'checked', 'Add User', {
    beforeLoad: prepareAddUser,
  }),
  createScreenRoute(paths.wizardPerson, 'checked', 'Add User'),
  createScreenRoute(paths.wizardTins, 'checked', 'Add User'),
  createScreenRoute(paths.manageSources, 'checked', 'Manage Roster Hub Sources For User Group', {
    beforeLoad: prepareAddUser,
  }),
  createScreenRoute(paths.userSearch, 'checked', 'User Search'),
  createScreenRoute(paths.bill, 'checked', 'Bill', { data: 'bills' }),
  createScreenRoute(paths.bulkLookup, 'checked'),
  createScreenRoute(paths.notifications, 'checked', 'Notifications'),
  createScreenRoute(paths.today, 'checked', '', { data: 'bills' }),
  createScreenRoute(paths.emailSettings, 'checked'),
  createScreenRoute(paths.openBills, 'checked', '', { data: 'bills' }),
  createScreenRoute(paths.openBillsView, 'checked', 'Open bills', {
    data: 'bills',
  }),
  createScreenRoute(paths.callSheet, 'checked', '', { data: 'bills' }),
  createScreenRoute(paths.deposits, 'checked'),
  createScreenRoute(paths.remittances, 'checked', '', {
    data: 'bills',
  }),
  createScreenRoute(paths.remittance, 'checked', 'Remittance', {
    data: 'bills',
  }),
  createScreenRoute(paths.cases, 'checked'),
  createScreenRoute(paths.askNetwork, 'checked', 'Ask the network'),
  createScreenRoute(paths.caseThread, 'checked', 'Question'),
  createScreenRoute(paths.reasonCodes, 'checked'),
  createScreenRoute(paths.bulkTins, 'checked', 'Bulk TIN update'),
  createScreenRoute(paths.importUsers, 'checked'),
  createScreenRoute(paths.accessReview, 'checked'),
  createScreenRoute(paths.team, 'checked'),
  createScreenRoute(paths.accessLog, 'checked'),
  createScreenRoute(paths.desk, 'checked'),
  createScreenRoute(paths.deskBill, 'checked', 'Bill', { data: 'bills' }),
  createScreenRoute(paths.deskRemittance, 'checked', 'Remittance', {
    data: 'bills',
  }),
  createScreenRoute(paths.deskQueues, 'checked'),
  createScreenRoute(paths.deskRequests, 'checked', 'Account requests'),
  createScreenRoute(paths.deskFailedEmails, 'checked', 'Failed emails'),
  createScreenRoute(paths.deskJobs, 'checked', 'Failed jobs'),
  createScreenRoute(paths.deskDrafts, 'checked', 'Draft accounts'),
  createScreenRoute(paths.deskCases, 'checked'),
  createScreenRoute(paths.recordComplaint, 'checked', 'Record complaint'),
  createScreenRoute(paths.deskCase, 'checked', 'Question'),
  createScreenRoute(paths.caseTimes, 'checked'),
  createScreenRoute(paths.deskGroups, 'checked'),
  createScreenRoute(paths.deskReasons, 'checked'),
  createScreenRoute(paths.deskPayerContacts, 'checked'),
  createScreenRoute(paths.deskRosters, 'checked'),
  createScreenRoute(paths.deskHealth, 'checked'),
  createScreenRoute(paths.deskRetention, 'checked'),
  createScreenRoute(paths.deskRules, 'checked'),
  createScreenRoute(paths.deskAnnouncement, 'checked'),
  createScreenRoute(paths.deskFeeds, 'checked'),
  createScreenRoute(paths.deskQuality, 'checked'),
  createScreenRoute(paths.deskUnmatched, 'checked'),
  createScreenRoute(paths.deskReviews, 'checked'),
  createScreenRoute(paths.deskStaff, 'checked'),

  createScreenRoute(paths.manageRecipients, 'any', 'Manage Notification Recipients'),
  createScreenRoute(paths.feeSchedule, 'any', 'PPO Fee Schedule', {
    data: 'feeSchedules',
  }),
  createScreenRoute(paths.manageRosters, 'any', 'Manage Rosters'),
  createScreenRoute(paths.manageGroups, 'any', 'Manage Groups'),
  createScreenRoute(paths.auditLog, 'any', 'Audit log'),
  createScreenRoute(paths.tinSharing, 'any', 'TIN sharing'),
  createScreenRoute(paths.signInAndSecurity, 'any', 'Sign-in and security'),
  createScreenRoute(paths.manageNonNetworkTins, 'any', 'Manage TINs'),
  createScreenRoute(paths.news, 'any', 'News'),
  createScreenRoute(paths.logout, 'any', 'You are logged out', {
    // Back and Reload open the page again, possibly with a session that began since then.
    beforeLoad({ location, context }) {
      if (location.state.signedOut && context.session) throw redirect({ to: paths.home, replace: true });
    },
  }),
  createRoute({ getParentRoute: () => root, path: '$', staticData: { access: 'unknown' } }),
]);
