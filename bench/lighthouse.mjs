// lighthouse.mjs URL USER PASSWORD ROUNDS: what Lighthouse says of the sign-in
// screen and, signed in, of bill search, open bills and the page of a bill, on a
// slow telephone: the median of so many looks. Prints JSON.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const installed = createRequire(new URL('../e2e/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(installed.resolve(name)).href);
const { default: lighthouse } = await load('lighthouse');
const { default: puppeteer } = await load('puppeteer-core');

const [url, user, password, rounds] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const look = async (address) => {
    const page = await browser.newPage();
    const { lhr } = await lighthouse(
      address,
      {
        onlyCategories: ['performance', 'accessibility', 'best-practices'],
        disableStorageReset: true,
        // The bell's stream stays open: no network is quiet.
        maxWaitForLoad: 10_000,
        logLevel: 'error',
      },
      undefined,
      page,
    );
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    if (page.url() !== address) throw new Error(`${address} led to ${page.url()}`);
    await page.close();
    return Object.fromEntries(Object.entries(lhr.categories).map(([id, { score }]) => [id, Math.round(score * 100)]));
  };
  const scores = async (address) => {
    const looks = [];
    for (let round = 0; round < Number(rounds); round++) looks.push(await look(address));
    const median = (id) => looks.map((found) => found[id]).sort((a, b) => a - b)[looks.length >> 1];
    return Object.fromEntries(Object.keys(looks[0]).map((id) => [id, median(id)]));
  };
  const signIn = await scores(`${url}/wcpp/login`);

  const page = await browser.newPage();
  await page.goto(`${url}/sso/start`);
  await page.type('[name=username]', user);
  await page.type('[name=password]', password);
  await Promise.all([page.waitForNavigation(), page.click('form button')]);
  await page.waitForFunction(() => location.pathname === '/wcpp/home');
  await page.goto(`${url}/wcpp/work/bills`);
  const bill = await page.waitForSelector('a[href^="/wcpp/work/bill/"]');
  const billAddress = await bill.evaluate((link) => link.href);
  await page.close();
  const billSearch = await scores(`${url}/wcpp/billSearch`);
  const openBills = await scores(`${url}/wcpp/work/bills`);
  const billPage = await scores(billAddress);
  console.log(JSON.stringify({ signIn, billSearch, openBills, billPage }));
} finally {
  await browser.close();
}
