import { type Browser, expect, type Page, test } from '@playwright/test';
import { openSession } from './portal';
import { importFile, type Portal, startPortal } from './start';
import { remittance } from './x12';

let portal: Portal;

test.beforeAll(async () => {
  portal = await startPortal(['demo', '--bills', '10'], { WCPP_TIME_ZONE: 'UTC' });
});
test.afterAll(() => portal.stop());

/** A text that runs code where it becomes markup. */
const plant = (what: string) => `<img src=x onerror=ran()>${what}`;

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Opens an account's session. */
async function enter(browser: Browser, userName: string) {
  const context = await browser.newContext({ baseURL: portal.url });
  const headers = { Authorization: `Bearer ${await openSession(context.request, userName)}` };
  const send = async (method: string, path: string, options: object = {}) => {
    const answer = await context.request.fetch(`/api${path}`, { method, headers, ...options });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.status() === 204 ? undefined : answer.json();
  };
  return {
    page: await context.newPage(),
    send,
    post: (path: string, data: object) => send('POST', path, { data }),
    put: (path: string, data: object) => send('PUT', path, { data }),
  };
}

/** Collects what markup in a text causes. */
function watch(page: Page): string[] {
  const events: string[] = [];
  page.on('pageerror', (error) => events.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) events.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url().endsWith('/x')) events.push(request.url());
  });
  return events;
}

test('texts of other people and of files stay text', async ({ browser }) => {
  const office = await enter(browser, 'prus.demo');
  const staff = await enter(browser, 'isad.demo');
  const [{ ftin }] = await office.send('GET', '/ftin/userFtins/prus.demo');
  const today = new Date().toISOString().slice(0, 10);

  const bill = {
    tin: ftin,
    bill_control_number: '9100000001',
    patient_control_number: plant('account'),
    claim_number: plant('claim'),
    patient_first_name: plant('first'),
    patient_last_name: plant('last'),
    begin_service_date: '2026-08-20',
    physician_first_name: plant('given'),
    physician_last_name: plant('family'),
    payer_id: 'PLANTED',
    payer_name: plant('payer'),
    charges: '300',
  };
  const paidBill = { ...bill, bill_control_number: '9100000002', patient_control_number: 'PAID-1' };
  const lines = [Object.keys(bill), Object.values(bill), Object.values(paidBill)];
  await importFile(portal.data, 'bills', lines.map((cells) => cells.join()).join('\n'));
  const payment = remittance(plant('check'), `FI*${ftin}`, ['PAID-1'])
    .replace('HARBOR MUTUAL', plant('payer'))
    .replace('QUARLES*DOT', `${plant('last')}*${plant('first')}`);
  await importFile(portal.data, 'x12', payment);
  const open = await office.post('/work/bills/search', { filter: { payer: plant('payer') }, limit: 10 });
  const { id, changed, payerName: payer } = open.bills[0];
  const paid = await office.post('/remittances/search', {
    from: '2026-09-01',
    to: '2026-09-30',
    table: { page: 0, pageSize: 10 },
  });

  await office.put('/work/bills/work', {
    bills: [{ id, version: 0, changed }],
    assignTo: 'prus.demo',
    followUpOn: today,
  });
  await office.post(`/work/bills/${id}/notes`, { body: plant('note') });
  await staff.put('/desk/payer-contacts/PLANTED', {
    name: plant('payer'),
    phone: '800-555-0100',
    extension: '',
    hours: plant('hours'),
    ready: plant('ready'),
    version: 0,
  });
  await office.post('/work/payer-calls', {
    requestKey: 'planted',
    bills: [{ id, version: 1 }],
    payer,
    outcome: 'promised',
    promisedOn: today,
    spokeWith: plant('speaker'),
    reference: plant('reference'),
    body: plant('details'),
  });
  await office.post('/work/views', {
    name: plant('view'),
    shared: true,
    pinned: true,
    definition: { filter: { payer } },
  });
  await office.put('/work/watches', { bills: [id], of: 'bill', watched: true });
  const file = await office.send('POST', '/work/cases/files', {
    multipart: {
      file: { name: plant('file.png'), mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
    },
  });
  const { number } = await office.post('/work/cases', {
    requestKey: 'planted',
    topic: 'OTHER',
    body: plant('question'),
    bills: [id],
    files: [file.id],
  });
  await staff.post(`/desk/cases/${number}/note`, { requestKey: 'note', body: plant('internal'), version: 1 });
  await staff.post('/desk/replies', { id: 0, title: plant('reply'), body: plant('words'), version: 0 });
  await staff.post('/desk/sitting', { reason: 'OTHER', text: plant('reason') });
  const {
    bills: [deskBill],
  } = await staff.post('/desk/find', { q: '9100000001' });
  const {
    remittances: [deskCheck],
  } = await staff.post('/desk/find', { q: plant('check') });

  const screens: { who: typeof office; path: string; planted: string[]; button?: string }[] = [
    { who: office, path: 'work', planted: ['payer', 'last'] },
    { who: office, path: 'work/bills', planted: ['view', 'last', 'payer', 'family'] },
    { who: office, path: 'work/call-sheet', planted: ['payer', 'last', 'hours'] },
    { who: office, path: `work/bill/${id}`, planted: ['last', 'note', 'details', 'speaker', 'ready'] },
    { who: office, path: `work/remittance/${paid.rows[0].id}`, planted: ['check', 'payer', 'last'] },
    { who: office, path: `work/cases/${number}`, planted: ['question', 'file.png'] },
    { who: staff, path: 'desk', planted: ['reason'] },
    { who: staff, path: `desk/bill/${deskBill.id}`, planted: ['last', 'payer', 'ready'] },
    { who: staff, path: `desk/remittance/${deskCheck.id}`, planted: ['check', 'payer', 'last'] },
    { who: staff, path: `desk/cases/${number}`, planted: ['question', 'internal', 'file.png'] },
    { who: staff, path: 'desk/cases', planted: ['reply'], button: 'Saved replies' },
    { who: staff, path: 'desk/payer-contacts', planted: ['payer', 'hours', 'ready'] },
  ];
  for (const { who, path, planted, button } of screens) {
    await test.step(path, async () => {
      const { page } = who;
      const events = watch(page);
      await page.goto(`/wcpp/${path}`);
      if (button) await page.getByRole('button', { name: button }).click();
      for (const what of planted)
        await expect.soft(page.getByText(plant(what)).first(), `${what} on ${path}`).toBeVisible();
      await expect(page.locator('[onerror], img[src="x"]')).toHaveCount(0);
      expect(events).toEqual([]);
      page.removeAllListeners();
    });
  }
});
