import { changeSearch, expect, getSearchButton, getSignInButton, openMode, test } from './portal';
import { type OpenIdProvider, startProvider } from './provider';
import { findFreePort, importFile, type Portal, startPortal } from './start';
import { x12 } from './x12';

const claim = x12(
  'HC',
  '005010X222A1',
  `ST*837*0001*005010X222A1
BHT*0019*00*1*20260110*0900*CH
NM1*41*2*HARBORLINE NETWORK*****46*123456789
PER*IC*SUPPORT*TE*8005550100
NM1*40*2*EXAMPLE INSURANCE*****46*112244
HL*1**20*1
NM1*85*2*RIVERSIDE CLINIC*****XX*1234567893
N3*1 RIVER ROAD
N4*TOLEDO*OH*436040000
REF*EI*969900001
HL*2*1*22*0
SBR*P*18*******WC
NM1*IL*1*PARKER*AVERY*Q***MI*M1
N3*2 HILL STREET
N4*TOLEDO*OH*436040000
DMG*D8*19801231*F
REF*Y4*WC-2026-1
NM1*PR*2*EXAMPLE INSURANCE*****PI*12345
CLM*RC-1001*240.5***11:B:1*Y*A*Y*Y
REF*9A*9026000001
REF*D9*202601050000017
HI*ABK:S335XXA
HCP*03*180.25*60.25*908231234
NM1*82*1*STONE*RIVER****XX*1234567893
LX*1
SV1*HC:99213*240.5*UN*1***1
DTP*472*D8*20260105
HCP*03*180.25*60.25`,
);

const payment = x12(
  'HP',
  '005010X221A1',
  `ST*835*0001
BPR*I*180.25*C*CHK************20260202
TRN*1*40009001*1512345678
N1*PR*EXAMPLE INSURANCE
N3*3 BANK STREET
N4*TOLEDO*OH*43604
N1*PE*RIVERSIDE CLINIC*FI*969900001
LX*1
CLP*RC-1001*1*240.5*180.25**WC*9026000001
NM1*QC*1*PARKER*AVERY
SVC*HC:99213*240.5*180.25
DTM*472*20260105
CAS*CO*45*60.25`,
);

let provider: OpenIdProvider;
let portal: Portal;

test.beforeAll(async () => {
  const port = await findFreePort();
  provider = await startProvider(`http://localhost:${port}`);
  const settings = {
    WCPP_OIDC_ISSUER: provider.issuer,
    WCPP_OIDC_CLIENT_ID: provider.client.id,
    WCPP_OIDC_CLIENT_SECRET: provider.client.secret,
    WCPP_OIDC_BIND: 'claim',
  };
  portal = await startPortal(['serve'], settings, port);
});
test.afterAll(async () => {
  await portal.stop();
  await provider.stop();
});

test('from an empty directory: claims and payments are imported as X12, and their office finds them', async ({
  page,
}) => {
  const { data, url } = portal;
  await importFile(data, 'groups', 'group_id,name,kind\n1,Riverside Clinic,PROVIDER');
  await importFile(
    data,
    'users',
    `user_name,first_name,last_name,email,phone,type,status,group_id,affiliation,job_title,company_name
jriver,Jo,River,jo@example.com,4195550100,PRUS,ACTIV,1,OFC_STAFF,Biller,Riverside Clinic`,
  );
  await importFile(data, 'tins', 'group_id,tin,user_name\n1,969900001,\n1,969900001,jriver');
  expect(await importFile(data, 'x12', claim)).toContain('1 record: 1 imported');
  // The payment, and its transaction set.
  expect(await importFile(data, 'x12', payment)).toContain('2 records: 2 imported');

  // Through the company's own single sign-on. This portal has no form of its own.
  await page.goto(`${url}/wcpp/billSearch`);
  await expect(page.getByLabel('Username')).toHaveCount(0);
  await getSignInButton(page).click();
  await page.getByPlaceholder('Enter any login').fill('jriver');
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Bill Search' })).toBeVisible();
  await expect(page.getByText(/^Bills as of \d\d\/\d\d\/\d{4}, \d{1,2}:\d\d [AP]M$/)).toBeVisible();

  // A user's only Tax ID is preselected.
  await openMode(page, 'Bill ID');
  await page.getByLabel('Bill Control Number').fill('9026000001');
  await getSearchButton(page).click();
  const row = page.getByRole('table', { name: 'Bills' }).locator('tbody').getByRole('row');
  await expect(row).toHaveCount(1);
  const cells = [
    '969900001',
    'AVERY Q PARKER',
    '01/05/2026',
    '01/05/2026',
    '9026000001 / 202601050000017, bill imagePaid, page of bill 9026000001 / 202601050000017',
    'RIVER STONE',
    'RIVERSIDE CLINIC',
    '$240.50',
    '$180.25, EOR of bill 9026000001 / 202601050000017',
    'WC-2026-1',
    'Payment Info of bill 9026000001 / 202601050000017',
  ];
  await expect(row.getByRole('cell')).toHaveText(cells);

  await changeSearch(page);
  await openMode(page, 'Claimant');
  await page.getByLabel('Claimant First Name').fill('Avery');
  await page.getByLabel('Claimant Last Name').fill('Parker');
  await page.getByRole('textbox', { name: 'Claimant Date of Birth' }).fill('12/31/1980');
  await page.getByRole('textbox', { name: 'Approximate Date of Service' }).fill('1/9/2026');
  await getSearchButton(page).click();
  await expect(row.getByRole('cell')).toHaveText(cells);

  await row.getByRole('button', { name: /^Payment Info/ }).click();
  await expect(page.getByRole('dialog').getByRole('definition')).toHaveText([
    '$180.25',
    '02/02/2026',
    '40009001',
  ]);
  await page.getByRole('button', { name: 'OK' }).click();

  const document = page.context().waitForEvent('response', {
    predicate: (response) => response.headers()['content-type'] === 'application/pdf',
  });
  await row.getByRole('button', { name: /EOR of bill/ }).click();
  expect((await document).status()).toBe(200);

  // The same file again changes nothing.
  expect(await importFile(data, 'x12', claim)).toContain('already imported');
  await changeSearch(page);
  await getSearchButton(page).click();
  await expect(row).toHaveCount(1);
});
