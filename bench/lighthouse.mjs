// lighthouse.mjs URL USER PASSWORD ROUNDS: what Lighthouse says of the sign-in
// screen and, signed in, of bill search, open bills and the page of a bill, on a
// slow telephone: the median of so many looks. Prints JSON.
import { launch, load, signIn } from './browser.mjs';

const { default: lighthouse } = await load('lighthouse');
const [url, user, password, rounds] = process.argv.slice(2);
const browser = await launch();
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
  const signedOut = await scores(`${url}/wcpp/login`);

  const page = await browser.newPage();
  await signIn(page, url, user, password);
  await page.goto(`${url}/wcpp/work/bills`);
  const bill = await page.waitForSelector('a[href^="/wcpp/work/bill/"]');
  const billAddress = await bill.evaluate((link) => link.href);
  await page.close();
  const billSearch = await scores(`${url}/wcpp/billSearch`);
  const openBills = await scores(`${url}/wcpp/work/bills`);
  const billPage = await scores(billAddress);
  console.log(JSON.stringify({ signIn: signedOut, billSearch, openBills, billPage }));
} finally {
  await browser.close();
}
