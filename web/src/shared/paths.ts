/*
 * Every address of the application. Separate constants, so that the build puts each into the
 * files that use it.
 */

export const base = '/wcpp';

/** Returns the address of a screen by its name in the session, as menus have it. */
export const getScreenPath = (screen: string) => `/${screen}`;

/** Returns the address with the base, for links outside the router. */
export const addBase = (path: string) => `${base}${path}`;

/** Returns an address without the base, or null for one outside of the application. */
export const removeBase = (address: string): string | null =>
  address.startsWith(`${base}/`) ? address.slice(base.length) : null;

/** Reports whether an address or a screen's name belongs to the Workspace (offices, service desk). */
export const isWorkspace = (path: string) => /^\/?(work|desk)(\/|$)/.test(path);

// Signed out
export const login = '/login';
export const authenticate = '/authenticate';
export const requestAccount = '/requestAccount';
export const emailRegistration = '/emailRegistration';
export const registration = '/registration';
export const registrationComplete = '/registrationComplete';
export const confirmRegistration = '/confirmRegistration';
export const confirmAddUser = '/confirmAddUser';
export const forgotUsername = '/forgotusernm';
export const forgotPassword = '/forgotpassword';
export const resetPassword = '/resetPassword';
export const confirmPasswordReset = '/confirmPasswordReset';
export const confirmEmail = '/confirmEmail';
export const confirmSignIn = '/confirmSignIn';
export const confirmFactorReset = '/confirmFactorReset';
export const confirmMailbox = '/confirmMailbox';
export const unsubscribe = '/stopMails';
export const pageNotFound = '/PageNotFound';

// The portal
export const start = '/';
export const home = '/home';
export const news = '/News';
export const logout = '/logout';
export const userProfile = '/UserProfile';
export const changePassword = '/ChangePassword';
export const signInAndSecurity = '/SignInAndSecurity';
export const billSearch = '/billSearch';
export const claimSearch = '/ClaimSearch';
export const providerResources = '/providerResources';
export const clientList = '/ClientList';
export const demographicSearch = '/Demographics/DemographicSearch';
export const feeSchedule = '/FeeSchedule';
export const notifications = '/Notifications';
export const manageRecipients = '/ManageRecipients';
export const manageRosters = '/ManageRosters';
export const auditLog = '/AuditLog';

// Users, groups and TINs
export const userSearch = '/UserSearch';
export const manageUsers = '/ManageUsers';
export const editProfile = '/EditProfile';
export const addUser = '/AddUser';
export const wizardPerson = '/ManageUserAddUser';
export const wizardTins = '/AddUserManageTin';
export const manageSources = '/ManageRosterSourcesForUserGroup';
export const manageGroups = '/ManageGroups';
export const manageTins = '/ManageTins';
export const manageTinsForUser = '/ManageTinsForUser';
export const manageNonNetworkTins = '/ManageTINsforNNUS';
export const viewTins = '/ViewTinsForUser';
export const tinSharing = '/TinSharing';

// The Workspace of offices
export const today = '/work';
export const emailSettings = '/work/mails';
export const bulkLookup = '/work/find-many';
export const bill = '/work/bill/$id';
export const openBills = '/work/bills';
export const openBillsView = '/work/bills/$id';
export const callSheet = '/work/call-sheet';
export const remittances = '/work/remittances';
export const deposits = '/work/deposits';
export const remittance = '/work/remittance/$id';
export const cases = '/work/cases';
export const askNetwork = '/work/cases/new';
export const caseThread = '/work/cases/$number';
export const reasonCodes = '/work/reasons';
export const bulkTins = '/work/users/tins';
export const importUsers = '/work/users/file';
export const team = '/work/team';
export const accessReview = '/work/access';
export const accessLog = '/work/visits';

// The service desk
export const desk = '/desk';
export const deskBill = '/desk/bill/$id';
export const deskRemittance = '/desk/remittance/$id';
export const deskQueues = '/desk/queues';
export const deskRequests = '/desk/requests';
export const deskFailedEmails = '/desk/mails';
export const deskJobs = '/desk/jobs';
export const deskDrafts = '/desk/drafts';
export const deskCases = '/desk/cases';
export const recordComplaint = '/desk/cases/new';
export const caseTimes = '/desk/cases/times';
export const deskCase = '/desk/cases/$number';
export const deskGroups = '/desk/groups';
export const deskReasons = '/desk/reasons';
export const deskPayerContacts = '/desk/payer-contacts';
export const deskRosters = '/desk/rosters';
export const deskHealth = '/desk/health';
export const deskRetention = '/desk/retention';
export const deskRules = '/desk/rules';
export const deskAnnouncement = '/desk/status';
export const deskFeeds = '/desk/feeds';
export const deskQuality = '/desk/quality';
export const deskUnmatched = '/desk/unmatched';
export const deskReviews = '/desk/reviews';
export const deskStaff = '/desk/staff';

// Screens of one thing: the properties of a link or of navigate().
export const toBill = (id: string) => ({ to: bill, params: { id } }) as const;
export const toDeskBill = (id: string) => ({ to: deskBill, params: { id } }) as const;
export const toRemittance = (id: string) => ({ to: remittance, params: { id } }) as const;
export const toDeskRemittance = (id: string) => ({ to: deskRemittance, params: { id } }) as const;
export const toCase = (number: string) => ({ to: caseThread, params: { number } }) as const;
export const toDeskCase = (number: string) => ({ to: deskCase, params: { number } }) as const;
export const toOpenBillsView = (id: string) => ({ to: openBillsView, params: { id } }) as const;
