import type { Page } from '@playwright/test';
import { address, expand, known, listProviders, section, showProvider } from './directory';
import {
  accounts,
  chooseTins,
  enter,
  expect,
  fillForm,
  mirror,
  openMode,
  openSession,
  password,
  resetToken,
  type Specimens,
  searchButton,
  searchByBill,
  signInButton,
} from './portal';
import { chooseFiles, csv, openUpload, rowsOf, selectGroup, submitRoster } from './rosters';

/** A full roster with mistakes, one that has other columns, and a letter; most providers of the last roster are gone. */
async function checkRoster(page: Page) {
  await openUpload(page);
  await selectGroup(page, 'Cuyahoga Valley Physicians (G2010)');
  const rows = rowsOf(12);
  for (const row of rows.slice(2, 9)) row.State = 'Ohio';
  Object.assign(rows[4] ?? {}, { NPI: '1234567890', Phone: '555' });
  await chooseFiles(
    page,
    csv('July.csv', rows),
    csv('Therapists of the western offices, July.csv', rowsOf(3, 50)),
  );
}

interface Screen {
  name: string;
  show: (page: Page, specimens: Specimens) => Promise<void>;
  /** It changes the page's clock or first script, which the next screen would have as well. */
  ownBrowser?: boolean;
}

const billSearch = async (page: Page, userName = accounts.PRUS) => {
  await enter(page, userName, '/wcpp/billSearch');
  await expect(searchButton(page)).toBeVisible();
};
const bills = (page: Page) => page.getByRole('table', { name: 'Bills' }).locator('tbody');
const dialog = (page: Page) => page.getByRole('dialog');

/** A screen of people who are not signed in. */
async function visit(page: Page, address: string) {
  await page.goto(`/wcpp/${address}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}
const accept = (page: Page) => page.route('**/api/public/**', (route) => route.fulfill({ json: 'success' }));
const refuse = (page: Page, message: string, fields: object[] = []) =>
  page.route('**/api/public/**', (route) => route.fulfill({ status: 400, json: { message, fields } }));
const submit = (page: Page) => page.getByRole('button', { name: 'Submit' }).click();

async function requestAccount(page: Page, address = 'office@example.com') {
  await visit(page, 'requestAccount');
  await page.getByLabel('Email Address').fill(address);
  await page.getByRole('checkbox').check();
  await submit(page);
}
async function resetPassword(page: Page) {
  await visit(page, 'resetPassword');
  await page.getByLabel('Username').fill('preyes');
  await page.getByLabel('Email Address').fill('preyes@example.com');
  await submit(page);
}
async function forgotUsername(page: Page) {
  await visit(page, 'forgotusernm');
  await page.getByLabel('Email Address').fill('preyes@example.com');
  await submit(page);
}
async function setPassword(page: Page, typed: string, again = typed) {
  await page.getByLabel(/^New Password/).fill(typed);
  await page.getByLabel('Confirm New Password').fill(again);
  await submit(page);
}

/** Sends the form of a new password, and lets the server answer so. */
async function changePassword(page: Page, answer: string) {
  await page.route('**/api/users/updatePwd', (route) => route.fulfill({ json: answer }));
  await page.getByLabel('Current Password').fill(password);
  await page.getByLabel('New Password').fill('Rainy-Night-2027');
  await page.getByLabel('Confirm Password').fill('Rainy-Night-2027');
  await page.getByRole('button', { name: 'SAVE' }).click();
}

/** Provider Resources with this list, or none. */
async function providerResources(page: Page, list: object[] | null) {
  await page.route('**/api/resources/provider-resources.json', (route) =>
    list ? route.fulfill({ json: list }) : route.fulfill({ status: 404, json: {} }),
  );
  await enter(page, accounts.PRUS, '/wcpp/providerResources');
}

/** The account of the demo whose profile is not finished. */
async function requiredProfile(page: Page) {
  await openSession(page.request, 'wortega');
  await page.goto('/wcpp/home');
  await expect(dialog(page)).toBeVisible();
}

const failedMails = [
  {
    id: 1,
    kind: 'password-reset',
    to: 'a.person.with.a.long.name@orthopedics-and-sports-medicine.example.com',
    status: 'failed',
    attempts: 13,
    error: '550 5.1.1 The email account that you tried to reach does not exist.',
    createdAt: '2026-03-02T15:00:00Z',
  },
  {
    id: 2,
    kind: 'registration',
    to: 'ada@example.com',
    status: 'waiting',
    attempts: 2,
    error: 'dial tcp 192.0.2.7:587: connect: connection refused',
    createdAt: '2026-03-03T09:30:00Z',
  },
];

const accesses = [
  { at: '2026-03-02T15:00:00Z', userName: 'isad.demo', action: 'Started acting as this user', result: 'ok' },
  { at: '2026-03-02T15:20:00Z', userName: 'isad.demo', action: 'Stopped acting as this user', result: 'ok' },
  { at: '2026-03-03T09:05:00Z', userName: '', action: 'Account locked', result: 'ok' },
];

/** Answers the searches with all kinds of bills, so many that they make several pages. */
async function showResults(page: Page, { paid, received, sheet, sheetOfLines, second }: Specimens) {
  const kinds = [paid, received, sheet, sheetOfLines];
  await page.route('**/api/billSearch/mitchBillSearch', (route) => route.fulfill({ json: [second] }));
  await page.route('**/api/billSearch/searchByAssorted', (route) =>
    route.fulfill({
      json: Array.from({ length: 24 }, (_, n) => ({
        ...kinds[n % 4],
        billControlNumber: `${7_000_000_000 + n}`,
      })),
    }),
  );
  await billSearch(page);
  await searchByBill(page, paid);
  await expect(bills(page).getByRole('row')).toHaveCount(10);
}

const users = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody');

async function manageUsers(page: Page, userName = accounts.PRAD) {
  await enter(page, userName, '/wcpp/ManageUsers');
  await expect(users(page).getByRole('row').first()).toBeVisible();
}

/** Finds users by a criterion. */
async function searchUsers(page: Page, criterion: string, typed: string, userName = accounts.ISAD) {
  await enter(page, userName, '/wcpp/UserSearch');
  await page.getByLabel(criterion, { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'SEARCH' }).click();
}

/** Opens the menu of the row that shows a text. */
const openMenu = (page: Page, text: string) =>
  users(page)
    .getByRole('row')
    .filter({ hasText: text })
    .getByRole('button', { name: /^Actions for/ })
    .click();
const choose = (page: Page, action: string) =>
  page.getByRole('menuitem', { name: action, exact: true }).click();

/** A change of the first user that has the action; the server answers so. */
async function changeUser(page: Page, action: string, answer?: object | number | string) {
  const calls = /\/api\/users\/(convert|terminateUser|resetPassword|regenRegistration)/;
  await page.route(calls, (route) =>
    answer === undefined ? route.abort() : route.fulfill({ json: answer }),
  );
  for (const button of await users(page).getByRole('button').all()) {
    await button.click();
    const item = page.getByRole('menuitem', { name: action, exact: true });
    if (await item.isVisible()) {
      await item.click();
      await expect(dialog(page)).toBeVisible();
      return;
    }
    await page.keyboard.press('Escape');
  }
  throw new Error(`no user has ${action}`);
}
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'OK' }).click();

/** TINs of a group, added on several days. */
const groupTins = ['962001001', '962001002', '962001003'].map((ftin, n) => ({
  ftin,
  addedDate: `2026-0${n + 1}-15T15:00:00Z`,
  lastUpdatedUserName: accounts.PRAD,
}));

async function manageTins(page: Page, userName = accounts.PRAD) {
  await page.route('**/api/ftin/groupFtins/*?*', (route) => route.fulfill({ json: groupTins }));
  await enter(page, userName, '/wcpp/ManageTins');
  await expect(tins(page)).toHaveCount(3);
}
const tins = (page: Page) => page.getByRole('table', { name: /^TINs/ }).locator('tbody').getByRole('row');
const chooseTin = (page: Page, n: number) => tins(page).getByRole('checkbox').nth(n).check();
const removeTins = (page: Page) => page.getByRole('button', { name: 'REMOVE SELECTED TIN(S)' }).click();

/** The TINs of a user of the demo's group. */
async function tinsOf(page: Page, userName: string) {
  await manageUsers(page);
  await page.getByLabel('Filter by Username').fill(userName);
  await openMenu(page, userName);
  await choose(page, 'Manage TINs');
  await expect(tins(page).first()).toBeVisible();
}

/** A screen about a user that was searched for. */
async function tinsOfFound(page: Page, userName: string, action: string) {
  await searchUsers(page, 'Username', userName);
  await openMenu(page, userName);
  await choose(page, action);
  await expect(tins(page).first()).toBeVisible();
}

const claim = {
  claimNumber: 'WC26110000004',
  claimantFirstName: 'Josephine',
  claimantLastName: 'Quillfeather',
  claimantDOB: '1978-11-09',
  claimantDOI: '2026-02-17',
  stateOfJurisdiction: 'OH',
  claimantGender: 'F',
};

async function claimSearch(page: Page, userName = accounts.PRUS) {
  await enter(page, userName, '/wcpp/ClaimSearch');
  await expect(searchButton(page)).toBeVisible();
}

/** Searches for a claimant; the server answers so. */
async function searchClaims(page: Page, answer: object | null) {
  await page.route('**/api/globalclaim/**', (route) =>
    answer ? route.fulfill({ json: answer }) : route.abort(),
  );
  await claimSearch(page);
  await page.getByLabel('Claimant First Name').fill('Josephine');
  await page.getByLabel('Claimant Last Name').fill('Quillfeather');
  await page.getByLabel('Claimant Date of Birth').fill('11/09/1978');
  await page.getByLabel('Claimant Date of Injury').fill('02/17/2026');
  await searchButton(page).click();
}

async function clientList(page: Page, userName = accounts.PRUS) {
  await enter(page, userName, '/wcpp/ClientList');
  await page.getByRole('button', { name: 'ACCEPT AND CONTINUE' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

/** Picks a provider who takes part in everything, or another one by the names of the demo. */
async function pickProvider(page: Page, tin = '961204117', provider = 'Lakeside Orthopedic') {
  await page.getByRole('combobox', { name: 'Tax ID' }).fill(tin);
  await page.getByRole('option', { name: tin }).click();
  await page.getByRole('combobox', { name: 'Provider' }).fill(provider);
  await page.getByRole('option', { name: provider }).click();
}
async function searchClients(page: Page, product: string) {
  await pickProvider(page);
  await page.getByRole('combobox', { name: 'State' }).selectOption('OH');
  await page.getByRole('combobox', { name: 'Product' }).selectOption(product);
  await searchButton(page).click();
}
const clients = (page: Page) => page.getByRole('table', { name: 'Clients' }).locator('tbody');

const providers = ['Wolfe, Hannah L', 'Patel, Arjun', 'Lakeside Surgery Center of Northern Ohio'].map(
  (prvName, n) => ({
    prvTaxId: '341234567',
    prvId: `${20010 + n}`,
    prvName,
    prvProviderType: ['P', 'A', 'H'][n],
  }),
);
const accountRequest = {
  id: 7,
  affiliation: 'OFC_STAFF',
  firstName: 'Paula',
  lastName: 'Reyes',
  middleInitial: 'T',
  phoneNumber: '2165550100',
  jobTitle: 'Office Manager',
  companyName: 'Lakeside Orthopedics',
  companyUrl: '',
  emailAddress: 'paula.reyes@example.com',
  providerList: [{ ftin: '341234567', providerName: 'Lakeside Orthopedics and Sports Medicine' }],
  campaign: '',
  status: 'SUBMITTED',
  submittedDt: '2026-03-02T15:00:00Z',
};

async function addUser(page: Page, type: string) {
  await enter(page, accounts.ISAD, '/wcpp/AddUser');
  await page.getByLabel('Account Type').selectOption(type);
  await expect(page.getByLabel('First Name')).toBeVisible();
}
async function addTin(page: Page, tin: string) {
  await page.getByLabel('Tax ID Number (TIN)').fill(tin);
  await page.getByRole('button', { name: 'ADD', exact: true }).click();
}
async function lookUp(page: Page, tin = '341234567') {
  await page.getByRole('button', { name: 'Add TIN Provider' }).click();
  await dialog(page).getByLabel('Tax ID Number (TIN)').fill(tin);
  await dialog(page).getByRole('button', { name: 'Search' }).click();
}
async function wizardTins(page: Page, type: string) {
  await enter(page, accounts.PRAD, '/wcpp/ManageUserAddUser');
  await page.getByLabel('First Name').fill('Ada');
  await page.getByLabel('Last Name').fill('Whitcombe-Fairbanks');
  await page.getByLabel('Phone Number').fill('2165550100');
  await page.getByLabel('Email Address').fill('ada.whitcombe@example.com');
  await page.getByLabel('Account Type').selectOption(type);
  await page.getByRole('button', { name: 'NEXT' }).click();
  await expect(
    page.getByRole('heading', { name: /^Manage Users: Add User: Manage TINs for Ada/ }),
  ).toBeVisible();
}

/** The first link of a column. */
const open = (page: Page, name: RegExp) => bills(page).getByRole('button', { name }).first().click();

const rateCodes = Array.from({ length: 12 }, (_, n) => ({
  nationalRateCd: `OH-WC-${String((n % 3) + 1).padStart(2, '0')}`,
  provLctnName: `Lakeside Orthopedics and Sports Medicine - ${['Cleveland', 'Akron', 'Toledo'][n % 3]}`,
  provLctnAddr: `${100 + n} Superior Avenue, Cleveland, OH`,
  provLctnDetails: n % 2 ? 'Satellite office' : 'Main office',
  lctnZipCd: `${44101 + n}`,
  cpdProvId: '200100',
}));
const feeSchedules = [
  { feeSchedRqstId: 3, fileName: 'Fee_Schedule_OH-WC-01_200100_2026-03-02.xlsx', fileViwed: 'N' },
  { feeSchedRqstId: 2, fileName: 'Fee_Schedule_OH-AUT-02_500100_2026-02-11.xlsx', fileViwed: 'Y' },
].map((file) => ({ ...file, schedUri: `/feeSchedule/file/${file.feeSchedRqstId}` }));

/** Finds the rate codes of a provider, who is of a type. */
async function findRateCodes(page: Page, codes: object[] = rateCodes, prvProviderType = 'A') {
  const provider = { prvId: '200100', prvName: 'Lakeside Orthopedics', prvProviderType };
  await page.route('**/api/clients/list/**', (route) => route.fulfill({ json: [provider] }));
  await page.route('**/api/feeSchedule/getNationalRateCodes/**', (route) => route.fulfill({ json: codes }));
  const tin = page.getByRole('combobox', { name: 'Tax ID' });
  await tin.fill('9');
  await page.getByRole('option').first().click();
  await page.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option').first().click();
  await searchButton(page).click();
  await expect(page.getByRole('heading', { name: 'Rate Codes' })).toBeVisible();
}

/** Asks for a fee schedule, of which the stream tells this. */
async function requestFeeSchedule(page: Page, told: string | null) {
  await page.route('**/api/feeSchedule/addFeeSchedRequest/**', (route) => route.fulfill({ json: 3 }));
  await page.route('**/api/feeSchedule/submitFeeScheduleAndNotify*', (route) => {
    if (told !== null) return route.fulfill({ contentType: 'text/event-stream', body: told });
  });
  await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
  await findRateCodes(page, rateCodes.slice(0, 3));
  await page
    .getByRole('button', { name: /^Select/ })
    .first()
    .click();
  await expect(dialog(page)).toBeVisible();
}

async function openBell(page: Page) {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('heading', { name: 'Fee Schedules' })).toBeVisible();
}

const { orthopedics, pain, surgery } = known;
const refuseDirectory = (page: Page, path: RegExp) =>
  page.route(path, (route) => route.fulfill({ status: 400, json: { message: 'The directory is busy.' } }));

/** Notifications in each status. */
const notifications = (
  [
    ['New fee schedules for Ohio from July on', 'SENT', '2026-03-02', 'Network Development'],
    ['Holiday hours of Customer Service', 'SCHEDULED', '2030-12-20', 'Customer Service'],
    ['Keep your directory entry current: what changes for offices with several locations', 'READY', null, ''],
    ['Provider Portal Notification', 'DRAFT', null, 'Marketing'],
  ] as const
).map(([name, status, sendDt, requestedBy], n) => ({
  wcp_notification_id: 4 - n,
  name,
  sendDt,
  status,
  sendEmail: 'NO',
  campaign: status === 'DRAFT' ? '' : 'Provider news 2026',
  requestedBy,
  createDt: '2026-02-20T15:00:00.000000Z',
  lastUpdate: `2026-03-0${4 - n}T15:00:00.000000Z`,
  lastUpdateBy: status === 'SENT' ? 'system' : accounts.ISAD,
  userNotList: '1,2,987654321',
  link: status === 'DRAFT' ? '' : 'https://news.example.com/offices/what-is-new-for-the-network',
}));

async function showNotifications(page: Page, rows: object[] = notifications) {
  await page.route('**/api/notifications/list', (route) => route.fulfill({ json: rows }));
  await enter(page, accounts.ISAD, '/wcpp/Notifications');
  await expect(page.getByRole('heading', { name: 'All notifications' })).toBeVisible();
}
async function actOn(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await choose(page, action);
}
async function manageRecipients(page: Page, action?: string) {
  await showNotifications(page);
  if (action) await actOn(page, action, 'EDIT');
  await page.getByRole('button', { name: 'MANAGE RECIPIENTS' }).click();
  await expect(page.getByRole('heading', { name: 'Chosen recipients' })).toBeVisible();
}
const searchRecipients = (page: Page) => page.getByRole('button', { name: 'SEARCH RECIPIENTS' }).click();

/** Searches for the active accounts of the demo; the server answers so. */
async function findRecipients(page: Page, answer?: object[] | null) {
  await manageRecipients(page);
  if (answer !== undefined)
    await page.route('**/api/admin/userList', (route) =>
      answer ? route.fulfill({ json: answer }) : route.abort(),
    );
  await searchRecipients(page);
  await page.getByLabel('Status').fill('Active');
  await searchRecipients(page);
}

async function searchGroups(page: Page, label: string, typed: string, userName = accounts.ISAD) {
  await enter(page, userName, '/wcpp/ManageGroups');
  await page.getByRole('button', { name: 'More Options' }).click();
  await page.getByLabel(label, { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'SEARCH' }).click();
}
async function groupSources(page: Page, userName = accounts.ISAD) {
  await searchGroups(page, 'Portal User Group ID', '1010', userName);
  await page.getByRole('button', { name: 'Actions for group 1010' }).click();
  await page.getByRole('menuitem', { name: 'Manage Roster Hub Sources' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Manage Roster Hub Sources/ })).toBeVisible();
}
async function addSource(page: Page, providerGroup: string) {
  await page.getByLabel('Provider Hub Provider Group ID *').fill(providerGroup);
  await page.getByRole('button', { name: 'ADD', exact: true }).click();
}
async function sourcesOfNewGroup(page: Page, ...providerGroups: string[]) {
  await addUser(page, 'Roster Admin');
  for (const [label, typed] of [
    ['First Name', 'Ada'],
    ['Last Name', 'Lovelace'],
    ['Phone Number', '(216) 555-0100'],
    ['Email Address', 'ada.lovelace@example.com'],
    ['Job Title', 'Roster Lead'],
    ['Company Name', 'Lakeside'],
  ] as const)
    await page.getByLabel(label).fill(typed);
  await page.getByRole('button', { name: 'NEXT' }).click();
  for (const providerGroup of providerGroups) await addSource(page, providerGroup);
}
async function sourceGroups(page: Page, source: string) {
  await groupSources(page);
  await page.getByRole('button', { name: `View Provider Hub Provider Groups of ${source}` }).click();
  await expect(dialog(page)).toBeVisible();
}

const screen = (name: string, show: Screen['show'], options: Pick<Screen, 'ownBrowser'> = {}): Screen => ({
  name,
  show,
  ...options,
});

/** Every screen in every state, as accessibility and looks are judged by. */
export const screens: Screen[] = [
  screen('Sign-in', async (page) => {
    await page.goto('/wcpp/login');
    await expect(signInButton(page)).toBeVisible();
  }),
  screen('Sign-in under way', async (page) => {
    await page.route('**/sso/start', (route) => route.fulfill({ status: 204 }));
    await page.goto('/wcpp/login');
    await signInButton(page).click();
    await expect(signInButton(page)).toBeDisabled();
  }),
  screen('Sign-in that failed', async (page) => {
    await page.goto('/wcpp/login?fail=USER_ACCT_LOCKED:7');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('button', { name: 'Sign in with password' }).click();
    await expect(page.getByText('Error: Enter Username')).toBeVisible();
  }),
  screen('Sign-in after the end', async (page) => {
    await enter(page, accounts.ROAD);
    await page.goto('/wcpp/billSearch');
    await expect(page.getByText(/^You are signed out because/)).toBeVisible();
  }),
  screen('Sign-in form', async (page) => {
    await page.goto('/sso/start');
    await expect(page.getByLabel('Password')).toBeVisible();
  }),
  screen('Sign-in form, wrong password', async (page) => {
    await page.goto('/sso/start');
    await fillForm(page, 'nobody', 'wrong');
    await expect(page.getByRole('alert')).toBeVisible();
  }),
  screen('Logged out', async (page) => {
    await enter(page, accounts.PRUS);
    await page.getByRole('link', { name: 'Sign Out' }).click();
    await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
  }),
  screen('Request an Account', (page) => visit(page, 'requestAccount')),
  screen('Request an Account with errors', async (page) => {
    await requestAccount(page, 'not an address');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Request an Account, internal user', async (page) => {
    await refuse(page, 'INTERNAL_USER');
    await requestAccount(page);
    await expect(page.getByText(/^You appear to be an internal user/)).toBeVisible();
  }),
  screen('Request an Account that failed', async (page) => {
    await page.route('**/api/public/**', (route) => route.abort());
    await requestAccount(page);
    await expect(page.getByText(/^There was an error processing/)).toBeVisible();
  }),
  screen('Request an Account, mail sent', async (page) => {
    await accept(page);
    await requestAccount(page);
    await expect(page.getByText(/^Thank you/)).toBeVisible();
  }),
  screen('Registration', (page) => visit(page, 'registration?token=t')),
  screen('Registration with errors', async (page) => {
    await visit(page, 'registration?token=t');
    await page.getByLabel('Affiliation').selectOption('Other');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Registration with a provider', async (page) => {
    await visit(page, 'registration?token=t');
    await page.getByLabel('FTIN').fill('123456789');
    await page.getByLabel('Provider Name').fill('Lakeside Orthopedics and Sports Medicine');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByRole('list', { name: 'Providers' })).toBeVisible();
  }),
  screen('Registration, invalid link', (page) => visit(page, 'registration')),
  screen('Registration, expired link', (page) => visit(page, 'registration?token=t&expire=1')),
  screen('Registration complete', (page) => visit(page, 'registrationComplete')),
  screen('Reset Password', (page) => visit(page, 'resetPassword')),
  screen('Reset Password with errors', async (page) => {
    await visit(page, 'resetPassword');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Reset Password that was refused', async (page) => {
    await refuse(page, 'INVALID_USERNAME_OR_EMAIL');
    await resetPassword(page);
    await expect(page.getByText(/does not match our records/)).toBeVisible();
  }),
  screen('Reset Password, mail sent', async (page) => {
    await accept(page);
    await resetPassword(page);
    await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
  }),
  screen('New password', async (page) => {
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await page.getByLabel(/^New Password/).fill('sunny day');
  }),
  screen('New password with errors', async (page) => {
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, 'short', 'other');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('New password that was refused', async (page) => {
    const message = 'This password is too easy to guess. Choose a less common one.';
    await refuse(page, 'INVALID_PW', [{ path: 'newPassword', code: 'COMMON_PASSWORD', message }]);
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, 'Password-2026');
    await expect(page.getByText(message)).toBeVisible();
  }),
  screen('New password, used link', async (page) => {
    await refuse(page, 'INVALID_TOKEN');
    await visit(page, `confirmPasswordReset?token=${resetToken(3600)}`);
    await setPassword(page, password);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('New password, expired link', (page) =>
    visit(page, `confirmPasswordReset?token=${resetToken(-60)}`),
  ),
  screen('New password, broken link', (page) => visit(page, 'confirmPasswordReset?token=broken')),
  screen('First password', (page) => visit(page, 'confirmAddUser?token=t')),
  screen('First password, expired link', (page) => visit(page, 'confirmAddUser?token=t&expire=1')),
  screen('Forgot Username', (page) => visit(page, 'forgotusernm')),
  screen('Forgot Username that was refused', async (page) => {
    await refuse(page, 'USER_ACCT_NEW');
    await forgotUsername(page);
    await expect(page.getByText(/^Error: Please access the link/)).toBeVisible();
  }),
  screen('Forgot Username, mail sent', async (page) => {
    await accept(page);
    await forgotUsername(page);
    await expect(page.getByText(/^A password reset link will be sent/)).toBeVisible();
  }),
  screen('Server out of reach', async (page) => {
    await page.route('**/api/session', (route) => route.abort());
    await page.goto('/wcpp/home');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Page Not Found, signed out', async (page) => {
    await page.goto('/wcpp/PageNotFound');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }),
  screen('Page Not Found', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }),
  screen('Home', async (page) => {
    await enter(page, accounts.PRUS);
    await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
  }),
  screen('Home of an administrator', async (page) => {
    await enter(page, accounts.ISAD);
    await expect(page.getByRole('heading', { name: /^Welcome/ })).toBeVisible();
  }),
  screen('Menu on a narrow window', async (page) => {
    await page.setViewportSize({ width: 320, height: 900 });
    await enter(page, accounts.PRUS);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('button', { name: 'Menu' })).toHaveAttribute('aria-expanded', 'true');
  }),
  screen('Bell', async (page) => {
    await enter(page, accounts.PRUS);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  }),
  screen('Contact Us', async (page) => {
    await enter(page, accounts.PRUS);
    await page.getByRole('button', { name: 'Contact Us' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('News', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/News');
    await expect(page.getByRole('heading', { name: 'News' })).toBeVisible();
  }),
  screen(
    'Idle warning',
    async (page) => {
      await page.clock.install();
      await enter(page, accounts.PRUS);
      const told = page.waitForResponse('**/FE_APP_TIMEOUT');
      await page.clock.runFor(5_000);
      await (await told).finished();
      await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
      await page.clock.runFor(28 * 60_000 + 10_000);
      await expect(dialog(page)).toBeVisible();
    },
    { ownBrowser: true },
  ),
  screen('Mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/home');
    await expect(page.getByRole('button', { name: 'Revert' })).toBeVisible();
  }),
  screen('Mirroring, Revert', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/billSearch');
    await page.getByRole('button', { name: 'Revert' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('User Profile', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.getByLabel('Affiliation').selectOption('Other');
    await expect(page.getByLabel('Other Description')).toBeVisible();
  }),
  screen('User Profile of an administrator', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/UserProfile');
    await expect(page.getByLabel('Employee ID')).toBeVisible();
  }),
  screen('User Profile with errors', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.getByLabel('First Name').fill('');
    await page.getByLabel('Phone Number').fill('216');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('User Profile saved', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.route('**/api/users/updateUser', (route) => route.fulfill({ json: 'success' }));
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText('Your profile was successfully updated.')).toBeVisible();
  }),
  screen('User Profile, not saved', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await page.route('**/api/users/updateUser', (route) => route.abort());
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByText(/^Error: An error has occurred/)).toBeVisible();
  }),
  screen('User Profile that did not load', async (page) => {
    await page.route('**/api/users/userByName/**', (route) => route.fulfill({ status: 404, json: {} }));
    await enter(page, accounts.PRUS, '/wcpp/UserProfile');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('User Profile while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/UserProfile');
    await expect(page.getByText(/^This is the profile of/)).toBeVisible();
  }),
  screen('Change Password', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await page.getByLabel('New Password').fill('Sunny');
  }),
  screen('Change Password that was refused', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await changePassword(page, 'INVALID_PW CONTAINS_NAME');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Change Password done', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ChangePassword');
    await changePassword(page, 'success');
    await expect(page.getByText('Your password has been changed successfully.')).toBeVisible();
  }),
  screen('Change Password while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/ChangePassword');
    await expect(page.getByLabel('Current Password')).toBeDisabled();
  }),
  screen('Required profile', (page) => requiredProfile(page)),
  screen('Required profile with errors', async (page) => {
    await requiredProfile(page);
    await page.getByRole('radio', { name: 'Other' }).check();
    await page.getByRole('button', { name: 'SUBMIT' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen(
    'Required profile, not saved',
    async (page) => {
      // The dialog closes itself after three seconds, before it is looked at.
      await page.addInitScript(() => {
        const later = window.setTimeout;
        window.setTimeout = ((run: TimerHandler, ms?: number) =>
          ms === 3_000 ? 0 : later(run, ms)) as typeof setTimeout;
      });
      await requiredProfile(page);
      await page.route('**/api/users/updateBackfill', (route) => route.abort());
      await page.getByLabel('Job Title').fill('Biller');
      await page.getByLabel('Company Name').fill('Lakeside');
      await page.getByRole('radio', { name: 'Billing Company' }).check();
      await page.getByRole('button', { name: 'SUBMIT' }).click();
      await expect(page.getByText('There was an error submitting your information.')).toBeVisible();
    },
    { ownBrowser: true },
  ),
  screen('Home with failed emails', async (page) => {
    await page.route('**/api/mails/failed', (route) => route.fulfill({ json: failedMails }));
    await enter(page, accounts.ISAD);
    await expect(page.getByRole('table')).toBeVisible();
  }),
  screen('Home, failed emails unknown', async (page) => {
    await page.route('**/api/mails/failed', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.ISAD);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Users', (page) => manageUsers(page)),
  screen('Manage Users, menu of a row', async (page) => {
    await manageUsers(page);
    await users(page).getByRole('button').first().click();
    await expect(page.getByRole('menu')).toBeVisible();
  }),
  screen('Manage Users, question', async (page) => {
    await manageUsers(page);
    await changeUser(page, 'Terminate');
  }),
  screen('Manage Users, done', async (page) => {
    await manageUsers(page);
    await changeUser(page, 'Terminate', 1);
    await confirm(page);
    await expect(page.getByText('The selected account was successfully terminated.')).toBeVisible();
  }),
  screen('Manage Users, refused', async (page) => {
    await manageUsers(page);
    await changeUser(page, 'Convert to Provider User', 600);
    await confirm(page);
    await expect(page.getByText(/^Account cannot be changed to PRUS/)).toBeVisible();
  }),
  screen('Manage Users that failed', async (page) => {
    await page.route('**/api/users/manageUsers/**', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.PRAD, '/wcpp/ManageUsers');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Users of a provider user', (page) => manageUsers(page, accounts.PRUS)),
  screen('Manage Users without a group', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageUsers');
    await expect(page.getByText(/^Your account belongs to no group/)).toBeVisible();
  }),
  screen('Manage Users while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageUsers');
    await expect(users(page).getByRole('row').first()).toBeVisible();
    await changeUser(page, 'Reset Password');
  }),
  screen('User Search', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/UserSearch');
    await expect(page.getByRole('button', { name: 'SEARCH' })).toBeVisible();
  }),
  screen('User Search with errors', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/UserSearch');
    await page.getByRole('button', { name: 'SEARCH' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('User Search with results', async (page) => {
    await page.route('**/api/admin/userList', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'X-Limited-To': '1000' } });
    });
    await searchUsers(page, 'Group ID', '1001');
    await expect(users(page).getByRole('row')).toHaveCount(10);
  }),
  screen('User Search without results', async (page) => {
    await searchUsers(page, 'Username', 'nobody at all');
    await expect(page.getByText(/^There are no users available/)).toBeVisible();
  }),
  screen('User Search that failed', async (page) => {
    await page.route('**/api/admin/userList', (route) => route.fulfill({ status: 400, json: {} }));
    await searchUsers(page, 'Username', 'prad');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage TINs', (page) => manageTins(page)),
  screen('Manage TINs with errors', async (page) => {
    await manageTins(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Manage TINs, refused', async (page) => {
    await page.route('**/api/ftin/validateandSaveFtin/**', (route) =>
      route.fulfill({ status: 400, json: { code: 'INVALID_FTIN_CPDID', message: 'INVALID_FTIN_CPDID' } }),
    );
    await manageTins(page);
    await page.getByLabel('Tax ID Number (TIN)').fill('962001009');
    await page.getByLabel('Provider ID Number').fill('1234');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Manage TINs, question', async (page) => {
    await manageTins(page);
    await chooseTin(page, 0);
    await chooseTin(page, 1);
    await removeTins(page);
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Manage TINs, nothing selected', async (page) => {
    await manageTins(page);
    await removeTins(page);
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Manage TINs, removed', async (page) => {
    await page.route('**/api/ftin/groupFtins/*/*', (route) => route.fulfill({ json: 'success' }));
    await manageTins(page);
    await chooseTin(page, 0);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/have been successfully removed/)).toBeVisible();
  }),
  screen('Manage TINs, removed in part', async (page) => {
    await page.route('**/api/ftin/groupFtins/*/*', (route) =>
      route.request().url().includes('962001002') ? route.fulfill({ json: 'success' }) : route.abort(),
    );
    await manageTins(page);
    await chooseTin(page, 0);
    await chooseTin(page, 1);
    await removeTins(page);
    await confirm(page);
    await expect(page.getByText(/^Removed/)).toBeVisible();
  }),
  screen('Manage TINs that failed', async (page) => {
    await page.route('**/api/ftin/groupFtins/**', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.PRAD, '/wcpp/ManageTins');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage TINs of a provider user', (page) => manageTins(page, accounts.PRUS)),
  screen('Manage TINs without a group', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageTins');
    await expect(page.getByText('Your account belongs to no group')).toBeVisible();
  }),
  screen('TINs of a user', (page) => tinsOf(page, accounts.PRUS)),
  screen('TINs of a user, none left', async (page) => {
    await tinsOf(page, accounts.PRUS);
    const all = page.getByRole('checkbox', { name: 'Select all rows' });
    await all.check();
    await all.uncheck();
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('TINs of a user, not saved', async (page) => {
    await page.route('**/api/ftin/managedUserFtins/*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await tinsOf(page, accounts.PRUS);
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('TINs of an administrator', (page) => tinsOf(page, accounts.PRAD)),
  screen('View TINs', (page) => tinsOfFound(page, accounts.PRUS, 'View TINs')),
  screen('TINs of a non-network user', (page) => tinsOfFound(page, accounts.NNUS, 'Manage TINs')),
  screen('TINs of a non-network user with errors', async (page) => {
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('TINs of a non-network user, question', async (page) => {
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await tins(page).getByRole('button').first().click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('TINs of a non-network user, the last', async (page) => {
    await page.route('**/api/ftin/groupFtins/*?*', (route) => route.fulfill({ json: groupTins.slice(0, 1) }));
    await tinsOfFound(page, accounts.NNUS, 'Manage TINs');
    await expect(tins(page)).toHaveCount(1);
  }),
  screen('Access history', async (page) => {
    await page.route('**/api/users/accessHistory/**', (route) => route.fulfill({ json: accesses }));
    await searchUsers(page, 'Username', accounts.PRUS);
    await openMenu(page, accounts.PRUS);
    await choose(page, 'Access History');
    await expect(dialog(page).getByRole('row')).toHaveCount(5);
  }),
  screen('Access history, none', async (page) => {
    await page.route('**/api/users/accessHistory/**', (route) => route.fulfill({ json: [] }));
    await searchUsers(page, 'Username', accounts.PRUS);
    await openMenu(page, accounts.PRUS);
    await choose(page, 'Access History');
    await expect(dialog(page).getByText(/^Nobody has/)).toBeVisible();
  }),
  screen('Edit Profile', async (page) => {
    await searchUsers(page, 'Username', accounts.IRAD);
    await openMenu(page, accounts.IRAD);
    await choose(page, 'Edit Profile');
    await page.getByLabel('Employee ID').fill('');
    await page.getByRole('button', { name: 'SAVE' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Edit Profile of nobody', async (page) => {
    await enter(page, accounts.PRAD, '/wcpp/EditProfile');
    await expect(page.getByText('No user was chosen')).toBeVisible();
  }),
  screen('Edit Profile while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageUsers');
    await openMenu(page, accounts.PRUS);
    await choose(page, 'Edit Profile');
    await expect(page.getByLabel('First Name')).toBeVisible();
  }),
  screen('Claim Search', (page) => claimSearch(page)),
  screen('Claim Search with errors', async (page) => {
    await claimSearch(page);
    await searchButton(page).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Claim Search with results', async (page) => {
    await searchClaims(
      page,
      Array.from({ length: 12 }, (_, n) => ({ ...claim, claimNumber: `WC261100000${10 + n}` })),
    );
    await expect(page.getByRole('table', { name: 'Claims' })).toBeVisible();
  }),
  screen('Claim Search without results', async (page) => {
    await searchClaims(page, {
      resultMessage:
        'There are no Claims available for the criteria entered, please revise your search criteria and try again',
    });
    await expect(page.getByRole('alert')).toBeVisible();
  }),
  screen('Claim Search that failed', async (page) => {
    await searchClaims(page, null);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Bill Search for a claim', async (page) => {
    await searchClaims(page, [claim]);
    await page.getByRole('link', { name: claim.claimNumber }).click();
    await expect(page.getByRole('textbox', { name: 'Claim Number' })).toHaveValue(claim.claimNumber);
  }),
  screen('Client List, agreement', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ClientList');
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Client List, agreement not recorded', async (page) => {
    await page.route('**/api/clients/agreement', (route) => route.abort());
    await enter(page, accounts.PRUS, '/wcpp/ClientList');
    await page.getByRole('button', { name: 'ACCEPT AND CONTINUE' }).click();
    await expect(dialog(page).getByRole('alert')).toBeVisible();
  }),
  screen('Client List', (page) => clientList(page)),
  screen('Client List with errors', async (page) => {
    await clientList(page);
    await searchButton(page).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Client List, providers', async (page) => {
    await clientList(page);
    await page.getByRole('combobox', { name: 'Tax ID' }).fill('961358561');
    await page.getByRole('option', { name: '961358561' }).click();
    await page.getByRole('combobox', { name: 'Provider' }).click();
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  }),
  screen('Client List, no states', async (page) => {
    await clientList(page);
    await pickProvider(page, '961242728', 'Delgado');
    await expect(page.getByRole('alert')).toBeVisible();
  }),
  screen('Client List, providers failed', async (page) => {
    await page.route('**/api/clients/list/**', (route) => route.fulfill({ status: 400, json: {} }));
    await clientList(page);
    await page.getByRole('combobox', { name: 'Tax ID' }).fill('961204117');
    await page.getByRole('option', { name: '961204117' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Client List with results', async (page) => {
    await clientList(page);
    await searchClients(page, 'Primary PPO');
    await expect(clients(page).getByRole('row')).toHaveCount(10);
  }),
  screen('Client List of Auto', async (page) => {
    await page.route('**/api/clients/getClientsByLOB/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'X-Limited-To': '5000' } });
    });
    await clientList(page);
    await page.getByRole('radio', { name: 'Auto' }).check();
    await searchClients(page, 'Auto PPO');
    await expect(page.getByText(/^Only the first/)).toBeVisible();
  }),
  screen('Client List without results', async (page) => {
    await clientList(page);
    await searchClients(page, 'Outcomes Network');
    await expect(page.getByText(/^There are no Clients/)).toBeVisible();
  }),
  screen('Client List that failed', async (page) => {
    await page.route('**/api/clients/getClientsByLOB/**', (route) => route.abort());
    await clientList(page);
    await searchClients(page, 'Primary PPO');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Client List of internal staff', async (page) => {
    await clientList(page, accounts.ISAD);
    await expect(page.getByText(/Mirror a user/)).toBeVisible();
  }),
  screen('Bell with fee schedules', async (page) => {
    await page.route('**/api/feeSchedule/getUserFeeSchedRequests/**', (route) =>
      route.fulfill({ json: { successCount: 2, feeSchedList: feeSchedules } }),
    );
    await enter(page, accounts.PRUS);
    await openBell(page);
    await expect(page.getByRole('link', { name: /^Fee_Schedule_/ })).toHaveCount(2);
  }),
  screen('Bell, fee schedules not refreshed', async (page) => {
    await page.route('**/api/feeSchedule/getUserFeeSchedRequests/**', (route) =>
      route.fulfill({ status: 400, json: {} }),
    );
    await enter(page, accounts.PRUS);
    await openBell(page);
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  }),
  screen('Bell, notifications not loaded', async (page) => {
    await page.route('**/api/notifications/user/**', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.PRUS);
    await openBell(page);
    await expect(page.getByText('The notifications could not be loaded.')).toBeVisible();
  }),
  screen('PPO Fee Schedule', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await expect(searchButton(page)).toBeVisible();
  }),
  screen('PPO Fee Schedule with errors', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await searchButton(page).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('PPO Fee Schedule, no provider', async (page) => {
    await page.route('**/api/clients/list/**', (route) => route.fulfill({ json: [] }));
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await page.getByRole('combobox', { name: 'Tax ID' }).fill('9');
    await page.getByRole('option').first().click();
    await expect(page.getByText('Error: Provider not found')).toBeVisible();
  }),
  screen('PPO Fee Schedule with rate codes', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await findRateCodes(page);
    await expect(page.getByRole('button', { name: /^Select/ })).toHaveCount(10);
  }),
  screen('PPO Fee Schedule without rate codes', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await findRateCodes(page, []);
    await expect(page.getByText(/^There are no Rate Codes/)).toBeVisible();
  }),
  screen('PPO Fee Schedule of a hospital', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/FeeSchedule');
    await findRateCodes(page, [], 'H');
    await expect(page.getByText(/company letterhead/)).toBeVisible();
  }),
  screen('PPO Fee Schedule while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRUS);
    await page.goto('/wcpp/FeeSchedule');
    await findRateCodes(page, rateCodes.slice(0, 3));
    await expect(page.getByText(/nothing can be requested/)).toBeVisible();
  }),
  screen('PPO Fee Schedule without Tax IDs', async (page) => {
    await enter(page, 'jperez', '/wcpp/FeeSchedule');
    await expect(page.getByText(/^No Tax IDs/)).toBeVisible();
  }),
  screen('PPO Fee Schedule of a non-network user', async (page) => {
    await enter(page, accounts.NNUS, '/wcpp/FeeSchedule');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Fee schedule under way', async (page) => {
    await requestFeeSchedule(page, null);
    await expect(dialog(page)).toContainText('Your request is in progress');
  }),
  screen('Fee schedule that is ready', async (page) => {
    const files = { successCount: 2, feeSchedList: feeSchedules };
    await requestFeeSchedule(page, `data: ${JSON.stringify(files)}\n\n`);
    await expect(dialog(page).getByRole('link')).toBeVisible();
  }),
  screen('Fee schedule that failed', async (page) => {
    await requestFeeSchedule(page, 'event: failed\ndata: No.\n\n');
    await expect(dialog(page)).toContainText('Your request could not be submitted');
  }),
  screen('Demographics', async (page) => {
    await enter(page, accounts.PRUS, address);
    await expect(page.getByText('Select a Tax ID to Search for Providers...')).toBeVisible();
  }),
  screen('Demographics, providers of a Tax ID', async (page) => {
    await listProviders(page, pain.tin);
    await expect(page.getByRole('table', { name: 'Providers' })).toBeVisible();
  }),
  screen('Demographics, no providers', async (page) => {
    await page.route('**/api/clients/list/*', (route) => route.fulfill({ json: [] }));
    await listProviders(page, pain.tin);
    await expect(page.getByText('No Providers found for the selected Tax ID')).toBeVisible();
  }),
  screen('Demographics, providers failed', async (page) => {
    await refuseDirectory(page, /\/clients\/list\//);
    await listProviders(page, pain.tin);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Demographics without Tax IDs', async (page) => {
    await enter(page, accounts.ISAD, address);
    await expect(page.getByText(/Mirror a user/)).toBeVisible();
  }),
  screen('Physician', async (page) => {
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(section(page, 'Licenses')).toHaveText(/on file$/);
  }),
  screen('Physician, all sections', async (page) => {
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expand(page, 'Specialties', 'Locations', 'Licenses');
  }),
  screen('Physician, location focus', async (page) => {
    await showProvider(page, pain.tin, pain.physician);
    await expand(page, 'Locations');
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Physician under way', async (page) => {
    await page.route('**/api/provider/Phys/*', () => {});
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Loading Physician...')).toBeVisible();
  }),
  screen('Physician that failed', async (page) => {
    await refuseDirectory(page, /\/provider\/Phys\/\d+$/);
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Error loading Physician data.')).toBeVisible();
  }),
  screen('Physician, parts failed', async (page) => {
    await refuseDirectory(page, /\/provider\/Phys\/Loc\//);
    await refuseDirectory(page, /\/provider\/Phys\/Lic\//);
    await showProvider(page, orthopedics.tin, orthopedics.physician);
    await expect(page.getByText('Error loading Physician licenses data.')).toBeVisible();
  }),
  screen('Facility, all sections', async (page) => {
    await showProvider(page, pain.tin, pain.facility);
    await expand(page, 'Locations', 'Licenses');
  }),
  screen('Facility without more than its record', async (page) => {
    await showProvider(page, surgery.tin, surgery.facility);
    await expand(page, 'Locations');
  }),
  screen('Facility, location', async (page) => {
    await showProvider(page, pain.tin, pain.facility);
    await expand(page, 'Locations');
    await page.getByRole('button', { name: /^View Details/ }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Bill Search by claim number', (page) => billSearch(page)),
  screen('Bill Search by claimant', async (page) => {
    await billSearch(page);
    await openMode(page, 'Claimant');
    await expect(page.getByLabel('Claimant First Name')).toBeVisible();
  }),
  screen('Bill Search by bill ID', async (page, { tins }) => {
    await billSearch(page);
    await chooseTins(page, ...tins.slice(0, 5));
    await openMode(page, 'Bill ID');
    await page.getByLabel('Document ID').fill('D1');
  }),
  screen('Bill Search, list of Tax IDs', async (page) => {
    await billSearch(page);
    await page.getByRole('combobox').click();
    await expect(page.getByRole('listbox')).toBeVisible();
  }),
  screen('Bill Search, calendar', async (page) => {
    await billSearch(page);
    await page.getByRole('button', { name: 'Choose a date' }).first().click();
    await expect(page.getByRole('dialog', { name: 'Choose a date' })).toBeVisible();
  }),
  screen('Bill Search with errors', async (page) => {
    await billSearch(page);
    await openMode(page, 'Claimant');
    await searchButton(page).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Bill Search, help', async (page) => {
    await billSearch(page);
    await page.getByRole('button', { name: 'Search Help' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Bill Search under way', async (page, { paid }) => {
    await page.route('**/api/billSearch/*earch*', () => {});
    await billSearch(page);
    await searchByBill(page, paid);
    await expect(page.getByText(/^Please wait while we retrieve data\./)).toBeVisible();
  }),
  screen('Bill Search with results', (page, specimens) => showResults(page, specimens)),
  screen('Bill Search, one system failed', async (page, specimens) => {
    await page.route('**/api/billSearch/mitchBillSearch', (route) => route.abort());
    await billSearch(page);
    await searchByBill(page, specimens.paid);
    await expect(page.getByText(/No answer from/)).toBeVisible();
    await expect(bills(page).getByRole('row')).toHaveCount(1);
  }),
  screen('Bill Search, filter without a match', async (page, specimens) => {
    await showResults(page, specimens);
    await page.getByLabel('Filter by Claimant Name').fill('nobody');
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
  }),
  screen('Bill Search without results', async (page, { paid }) => {
    await billSearch(page);
    await searchByBill(page, { ftin: paid.ftin, billControlNumber: 'NONE' });
    await expect(page.getByText(/^There are no Bills available/)).toBeVisible();
  }),
  screen('Bill Search that failed', async (page, { paid }) => {
    await page.route('**/api/billSearch/*earch*', (route) => route.abort());
    await billSearch(page);
    await searchByBill(page, paid);
    await expect(page.getByText(/^Error: There was an error retrieving data/)).toBeVisible();
  }),
  screen('Bill Search without Tax IDs', async (page) => {
    await enter(page, 'jperez', '/wcpp/billSearch');
    await expect(page.getByText(/^No Tax IDs/)).toBeVisible();
  }),
  screen('Bill Search, Tax IDs failed', async (page) => {
    await page.route('**/api/ftin/userFtins/**', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.PRUS, '/wcpp/billSearch');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Payment', async (page, specimens) => {
    await showResults(page, specimens);
    await page.route('**/api/billSearch/findPaymentInfo', (route) =>
      route.fulfill({ json: { paidAmount: 135.49, paidDate: '2026-01-09', checkNumber: '40000017' } }),
    );
    await open(page, /^Payment Info/);
    await expect(dialog(page)).toContainText('40000017');
  }),
  screen('Payment that is not available', async (page, specimens) => {
    await showResults(page, specimens);
    await page.route('**/api/billSearch/findPaymentInfo', (route) => route.fulfill({ json: {} }));
    await open(page, /^Payment Info/);
    await expect(dialog(page)).toContainText('Payment Information is not available.');
  }),
  screen('Image that does not exist', async (page, specimens) => {
    await showResults(page, specimens);
    await page.route('**/api/billSearch/imageExist*', (route) => route.fulfill({ json: false }));
    await open(page, /^7\d+ .*bill image$/);
    await expect(dialog(page)).toContainText('The image cannot be displayed.');
  }),
  screen(
    'Window that was blocked',
    async (page, specimens) => {
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await showResults(page, specimens);
      await page.route('**/api/billSearch/imageExist*', (route) => route.fulfill({ json: true }));
      await open(page, /^7\d+ .*bill image$/);
      await expect(dialog(page)).toContainText('VIEW IMAGE');
    },
    { ownBrowser: true },
  ),
  screen('Pricing sheet', async (page, specimens) => {
    await showResults(page, specimens);
    await page.route('**/api/billSearch/searchBillReference', (route) =>
      route.fulfill({ json: [{ line: 'PAGE 1 OF 1' }] }),
    );
    await page.getByLabel('Filter by Claim Number').fill(specimens.sheetOfLines.claimNumber);
    await page.getByLabel('Filter by Bill Reference').fill(specimens.sheetOfLines.documentId);
    await open(page, /Pricing Sheet of bill/);
    await expect(dialog(page)).toContainText('The pricing sheet is downloaded');
  }),
  screen('Add User', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/AddUser');
    await expect(page.getByLabel('Account Type')).toBeVisible();
  }),
  screen('Add User with errors', async (page) => {
    await addUser(page, 'Provider Admin');
    await page.getByLabel('Affiliation').selectOption('Other');
    await page.getByLabel('Email Address').fill('not an address');
    await page.getByRole('button', { name: 'CREATE USER' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Add User, provider admin of a new group', async (page) => {
    await page.route('**/api/provider/list/**', (route) => route.fulfill({ json: providers }));
    await addUser(page, 'Provider Admin');
    await lookUp(page);
    await dialog(page).getByRole('checkbox').first().check();
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Added TINs' })).toBeVisible();
  }),
  screen('Add User, provider user', async (page) => {
    await addUser(page, 'Provider User');
    await page.getByLabel('Group ID').fill('1001');
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .first()
      .check();
  }),
  screen('Add User, group without TINs', async (page) => {
    await addUser(page, 'Provider User');
    await page.getByLabel('Group ID').fill('99999');
    await expect(page.getByText(/^There are no Tax IDs/)).toBeVisible();
  }),
  screen('Add User, non-network user', async (page, { tins }) => {
    await page.route('**/api/ftin/validateNonNetworkFtin/100000001', (route) =>
      route.fulfill({ json: 'success' }),
    );
    await addUser(page, 'Non-Network User');
    await addTin(page, '100000001');
    await expect(page.getByRole('table', { name: 'Added TINs' })).toBeVisible();
    await addTin(page, tins[0] ?? '');
    await expect(page.getByText(/because it is registered as In-network TIN/)).toBeVisible();
  }),
  screen('Add User, internal administrator', (page) => addUser(page, 'Internal System Admin')),
  screen('Add User, roster admin', (page) => addUser(page, 'Roster Admin')),
  screen('Add User, draft', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/UserSearch');
    await page.getByLabel('Group ID').fill('1011');
    await page.getByRole('button', { name: 'SEARCH' }).click();
    await page.getByLabel('Filter by Account Status').fill('Draft');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Continue Registration' }).click();
    await expect(page.getByRole('button', { name: 'CANCEL' })).toBeVisible();
  }),
  screen('Add User, account request', async (page) => {
    await page.route('**/api/accountRequests/7', (route) => route.fulfill({ json: accountRequest }));
    await enter(page, accounts.ISAD, '/wcpp/AddUser?request=7');
    await page.getByLabel('Account Type').selectOption('Provider User');
    await expect(page.getByLabel('First Name')).toHaveValue('Paula');
  }),
  screen('Add User, answered account request', async (page) => {
    await page.route('**/api/accountRequests/7', (route) =>
      route.fulfill({ json: { ...accountRequest, status: 'CLOSED' } }),
    );
    await enter(page, accounts.ISAD, '/wcpp/AddUser?request=7');
    await expect(page.getByText(/was answered already/)).toBeVisible();
  }),
  screen('Add User, unknown account request', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/AddUser?request=99999');
    await expect(page.getByText(/^There is no such account request/)).toBeVisible();
  }),
  screen('Add User that did not load', async (page) => {
    await page.route('**/api/users/getUserTypes', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.ISAD, '/wcpp/AddUser');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Add User that is not permitted', async (page) => {
    await enter(page, accounts.IRAD, '/wcpp/AddUser');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Add User while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/AddUser');
    await expect(page.getByText(/^While you mirror a user nobody can be added/)).toBeVisible();
  }),
  screen('Add TIN Provider', async (page) => {
    await page.route('**/api/provider/list/**', (route) => route.fulfill({ json: providers }));
    await addUser(page, 'Provider Admin');
    await lookUp(page);
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('Error: Please select one.')).toBeVisible();
  }),
  screen('Add TIN Provider with errors', async (page) => {
    await addUser(page, 'Provider Admin');
    await lookUp(page, '12345');
    await expect(page.getByText('Error: Enter a 9-digit Tax ID Number (TIN)')).toBeVisible();
  }),
  screen('Add TIN Provider without results', async (page) => {
    await addUser(page, 'Provider Admin');
    await lookUp(page, '999999999');
    await expect(page.getByText('No Providers found for the selected Tax ID')).toBeVisible();
  }),
  screen('Add TIN Provider that failed', async (page) => {
    await page.route('**/api/provider/list/**', (route) => route.abort());
    await addUser(page, 'Provider Admin');
    await lookUp(page);
    await expect(dialog(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Wizard, person with errors', async (page) => {
    await enter(page, accounts.PRAD, '/wcpp/ManageUserAddUser');
    await page.getByRole('button', { name: 'NEXT' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Wizard, TINs of a provider user', async (page) => {
    await wizardTins(page, 'Provider User');
    await page
      .getByRole('checkbox', { name: /^Select \d/ })
      .first()
      .check();
  }),
  screen('Wizard, no TIN', async (page) => {
    await wizardTins(page, 'Provider User');
    await page.getByRole('button', { name: 'CREATE USER' }).click();
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Wizard, TINs of an administrator', (page) => wizardTins(page, 'Provider Admin')),
  screen('Wizard without a group', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageUserAddUser');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Wizard while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageUserAddUser');
    await expect(page.getByText(/^While you mirror a user nobody can be added/)).toBeVisible();
  }),
  screen('Notifications', (page) => showNotifications(page)),
  screen('Notifications with errors', async (page) => {
    await showNotifications(page);
    await page.getByLabel('Notification Link').fill('news.example.com');
    await page.getByLabel('Notification Send Date').fill('01/02/2026');
    await page.getByRole('button', { name: 'CREATE NOTIFICATION' }).click();
    await expect(page.getByText('Error: Enter Notification name')).toBeVisible();
  }),
  screen('Notifications, menu of a row', async (page) => {
    await showNotifications(page);
    await page.getByRole('button', { name: 'Actions for Holiday hours of Customer Service' }).click();
    await expect(page.getByRole('menuitem')).toHaveCount(2);
  }),
  screen('Notifications, one edited', async (page) => {
    await showNotifications(page);
    await actOn(page, 'Holiday hours of Customer Service', 'EDIT');
    await expect(page.getByText('3 recipients chosen')).toBeVisible();
  }),
  screen('Notifications, a sent one', async (page) => {
    await showNotifications(page);
    await actOn(page, 'New fee schedules for Ohio from July on', 'EDIT');
    await expect(page.getByRole('button', { name: 'UPDATE NOTIFICATION' })).toBeDisabled();
  }),
  screen('Notifications, saved', async (page) => {
    await showNotifications(page);
    await page.route('**/api/notifications/update', (route) => route.fulfill({ json: notifications[1] }));
    await actOn(page, 'Holiday hours of Customer Service', 'EDIT');
    await page.getByRole('button', { name: 'UPDATE NOTIFICATION' }).click();
    await expect(page.getByText('Notification updated.')).toBeVisible();
  }),
  screen('Notifications, not saved', async (page) => {
    await showNotifications(page);
    await page.route('**/api/notifications/create', (route) => route.abort());
    await page.getByRole('button', { name: 'CREATE NOTIFICATION' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Notifications, un-publish', async (page) => {
    await showNotifications(page);
    await actOn(page, 'New fee schedules for Ohio from July on', 'UN-PUBLISH');
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Notifications without any', async (page) => {
    await showNotifications(page, []);
    await expect(page.getByText(/^There are no notifications yet/)).toBeVisible();
  }),
  screen('Notifications that failed', async (page) => {
    await page.route('**/api/notifications/list', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.ISAD, '/wcpp/Notifications');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Notification recipients', async (page) => {
    await manageRecipients(page, 'Holiday hours of Customer Service');
    await expect(page.getByText(/^1 recipient cannot be found any more/)).toBeVisible();
  }),
  screen('Notification recipients, none', async (page) => {
    await manageRecipients(page);
    await expect(page.getByText(/^Nobody is chosen yet/)).toBeVisible();
  }),
  screen('Notification recipients of a sent one', async (page) => {
    await manageRecipients(page, 'New fee schedules for Ohio from July on');
    await expect(page.getByText(/^This notification has been sent/)).toBeVisible();
  }),
  screen('Notification recipients that failed', async (page) => {
    await page.route('**/api/admin/userList', (route) => route.fulfill({ status: 400, json: {} }));
    await manageRecipients(page, 'Holiday hours of Customer Service');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Notification recipients that are not permitted', async (page) => {
    await enter(page, accounts.PRAD, '/wcpp/ManageRecipients');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Recipient search', async (page) => {
    await manageRecipients(page);
    await page.route('**/api/admin/userList', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'X-Limited-To': '1000' } });
    });
    await searchRecipients(page);
    await page.getByLabel('Email Address', { exact: true }).fill('*example');
    await searchRecipients(page);
    const found = page.getByRole('table', { name: 'Users found' }).locator('tbody');
    await found.getByRole('checkbox').nth(1).check();
    await found.getByRole('checkbox').nth(3).check();
    await page.getByRole('button', { name: 'ADD SELECTED' }).click();
    await expect(page.getByText('2 recipients added.')).toBeVisible();
  }),
  screen('Recipient search, one criterion', async (page) => {
    await manageRecipients(page);
    await searchRecipients(page);
    await page.getByLabel('Group ID', { exact: true }).fill('1001');
    await expect(page.getByLabel('Email Address')).toBeDisabled();
  }),
  screen('Recipient search with errors', async (page) => {
    await manageRecipients(page);
    await searchRecipients(page);
    await searchRecipients(page);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Recipient search under way', async (page) => {
    await page.route('**/api/admin/userList', () => undefined);
    await findRecipients(page);
    await expect(page.getByText('Please wait while we retrieve data.')).toBeVisible();
  }),
  screen('Recipient search without results', async (page) => {
    await findRecipients(page, []);
    await expect(page.getByText(/^There are no users available/)).toBeVisible();
  }),
  screen('Recipient search that failed', async (page) => {
    await findRecipients(page, null);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Rosters', async (page) => {
    await enter(page, accounts.ROAD, '/wcpp/ManageRosters');
    await expect(page.getByRole('link', { name: 'Lorain physicians.csv' })).toBeVisible();
  }),
  screen('Manage Rosters without any', async (page) => {
    await page.route('**/api/roster/uploadLogs/group/*', (route) => route.fulfill({ json: [] }));
    await enter(page, accounts.ROAD, '/wcpp/ManageRosters');
    await expect(page.getByText('No records found')).toBeVisible();
  }),
  screen('Manage Rosters that failed', async (page) => {
    await page.route('**/api/roster/uploadLogs/group/*', (route) => route.fulfill({ status: 400, json: {} }));
    await enter(page, accounts.ROAD, '/wcpp/ManageRosters');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Rosters, not permitted', async (page) => {
    await enter(page, accounts.PRAD, '/wcpp/ManageRosters');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Upload Roster', async (page) => {
    await openUpload(page);
    await expect(page.getByText('No files selected')).toBeVisible();
  }),
  screen('Upload Roster with errors', async (page) => {
    await openUpload(page);
    await submitRoster(page);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Upload Roster without choices', async (page) => {
    for (const call of ['source/group', 'sourceGroup'])
      await page.route(`**/api/roster/${call}/*`, (route) => route.fulfill({ status: 400, json: {} }));
    await openUpload(page);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(2);
  }),
  screen('Upload Roster, checking', async (page) => {
    await page.route('**/api/roster/check', () => undefined);
    await checkRoster(page);
    await expect(page.getByText('July.csv: 0 rows read')).toBeVisible();
  }),
  screen('Upload Roster, checked', async (page) => {
    await checkRoster(page);
    await expect(page.getByText('You are asked when you submit.')).toBeVisible();
  }),
  screen('Upload Roster, confirm', async (page) => {
    await checkRoster(page);
    await expect(page.getByText('You are asked when you submit.')).toBeVisible();
    await submitRoster(page);
    await expect(dialog(page)).toBeVisible();
  }),
  screen('Upload Roster under way', async (page) => {
    await page.route('**/api/roster/upload', () => undefined);
    await openUpload(page);
    await selectGroup(page, 'Tremont Family Practice (G2012)');
    await chooseFiles(page, csv('July.csv', rowsOf(12)));
    await expect(page.getByText('No problems in 12 rows.')).toBeVisible();
    await submitRoster(page);
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  }),
  screen('Upload Roster that failed', async (page) => {
    await page.route('**/api/roster/upload', (route) => route.abort());
    await openUpload(page);
    await selectGroup(page, 'Tremont Family Practice (G2012)');
    await chooseFiles(page, csv('July.csv', rowsOf(12)));
    await expect(page.getByText('No problems in 12 rows.')).toBeVisible();
    await submitRoster(page);
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Home, document that failed', async (page) => {
    await page.route('**/api/resources/**', (route) => route.fulfill({ status: 503, json: {} }));
    await enter(page, accounts.PRUS);
    const manual = { name: 'Read the provider manual' };
    await page.frameLocator('iframe[title="Home"]').getByRole('button', manual).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Provider Resources', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/providerResources');
    await expect(page.getByRole('table', { name: 'Documents' })).toBeVisible();
  }),
  screen('Provider Resources, some left out', async (page) => {
    const properties = { name: 'Network Provider Manual', category: 'Provider Manuals', walkmeId: '' };
    await providerResources(page, [{ properties, links: [{ href: '/a.pdf' }] }, {}]);
    await expect(page.getByText(/^One document cannot be shown/)).toBeVisible();
  }),
  screen('Provider Resources, nothing found', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/providerResources');
    await page.getByRole('textbox', { name: 'Filter by name' }).fill('nothing is called so');
    await expect(page.getByText('There are no documents of this category and name.')).toBeVisible();
  }),
  screen('Provider Resources without documents', async (page) => {
    await providerResources(page, []);
    await expect(page.getByText('There are no documents at the moment.')).toBeVisible();
  }),
  screen('Provider Resources that failed', async (page) => {
    await providerResources(page, null);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Tech Support', async (page) => {
    await enter(page, accounts.PRUS);
    await page.getByRole('button', { name: 'Tech Support' }).click();
    const conversation = page.frameLocator('iframe[title="Conversation with Tech Support"]');
    await expect(conversation.getByText('prus.demo@example.com')).toBeVisible();
  }),
  screen('Tech Support that cannot be reached', async (page) => {
    await page.route('**/api/support/chat', (route) => route.fulfill({ status: 503, json: {} }));
    await enter(page, accounts.PRUS);
    await page.getByRole('button', { name: 'Tech Support' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Portal User Groups', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageGroups');
    await expect(page.getByRole('button', { name: 'SEARCH' })).toBeVisible();
  }),
  screen('Manage Portal User Groups with errors', async (page) => {
    await enter(page, accounts.ISAD, '/wcpp/ManageGroups');
    await page.getByRole('button', { name: 'SEARCH' }).click();
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Manage Portal User Groups with results', async (page) => {
    await page.route('**/api/admin/groupList', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'X-Limited-To': '1000' } });
    });
    await searchGroups(page, 'Email Address/Domain', 'example.com');
    await expect(page.getByText(/^Only the first 1,000 groups/)).toBeVisible();
  }),
  screen('Manage Portal User Groups without results', async (page) => {
    await searchGroups(page, 'Username', 'nobody at all');
    await expect(page.getByText(/^There are no groups available/)).toBeVisible();
  }),
  screen('Manage Portal User Groups that failed', async (page) => {
    await page.route('**/api/admin/groupList', (route) => route.fulfill({ status: 400, json: {} }));
    await searchGroups(page, 'Portal User Group ID', '1010');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Manage Portal User Groups that is not permitted', async (page) => {
    await enter(page, accounts.PRUS, '/wcpp/ManageGroups');
    await expect(page.getByText('Not available to your account')).toBeVisible();
  }),
  screen('Roster hub sources of a group', async (page) => {
    await groupSources(page);
    await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(2);
  }),
  screen('Roster hub sources with an error', async (page) => {
    await groupSources(page);
    await addSource(page, '4711');
    await expect(page.getByRole('group', { name: 'Message' })).toBeVisible();
  }),
  screen('Roster hub sources that failed', async (page) => {
    await page.route('**/api/roster/sourceGroups', (route) => route.fulfill({ status: 400, json: {} }));
    await groupSources(page);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  }),
  screen('Roster hub sources, none at all', async (page) => {
    await page.route('**/api/roster/source*', (route) => route.fulfill({ json: [] }));
    await page.route('**/api/roster/source/group/*', (route) => route.fulfill({ json: [] }));
    await groupSources(page);
    await expect(page.getByText('No roster sources or source groups found.')).toBeVisible();
  }),
  screen('Roster hub sources, read only', async (page) => {
    await groupSources(page, accounts.IRAD);
    await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(2);
  }),
  screen('Roster hub sources while mirroring', async (page) => {
    await mirror(page.request, await openSession(page.request, accounts.ISAD), accounts.PRAD);
    await page.goto('/wcpp/ManageRosterSourcesForUserGroup');
    await expect(page.getByText(/cannot be changed while mirroring/)).toBeVisible();
  }),
  screen('Roster hub sources of a new group', async (page) => {
    await sourcesOfNewGroup(page, '20101', '20201', '20301', '20401', '20501', '20601');
    await expect(page.getByText('1-5 of 6')).toHaveCount(2);
  }),
  screen('Roster hub sources of a new group, none yet', async (page) => {
    await sourcesOfNewGroup(page);
    await page.getByRole('button', { name: 'SAVE AS DRAFT' }).click();
    await expect(page.getByText(/^You must add at least one roster source/)).toBeVisible();
  }),
  screen('Roster hub sources, nothing matches', async (page) => {
    await groupSources(page);
    await page.getByLabel('Filter by Roster Hub Source Name').fill('nothing is called so');
    await expect(page.getByText(/^No matching results found/)).toBeVisible();
  }),
  screen('Provider groups of a roster hub source', async (page) => {
    await sourceGroups(page, 'Great Lakes Provider Hub');
    await expect(dialog(page).getByText('1-5 of 7')).toHaveCount(2);
  }),
  screen('Provider groups, nothing matches', async (page) => {
    await sourceGroups(page, 'Great Lakes Provider Hub');
    await dialog(page).getByLabel('Filter by Provider Group Name').fill('nothing is called so');
    await expect(dialog(page).getByText(/^No matching results found/)).toBeVisible();
  }),
  screen('Provider groups, none', async (page) => {
    await page.route('**/api/roster/sourceGroups', (route) => route.fulfill({ json: [] }));
    await sourceGroups(page, 'Great Lakes Provider Hub');
    await expect(dialog(page).getByText('No provider groups found for this source.')).toBeVisible();
  }),
];
