// keystroke.mjs URL USER PASSWORD: how long a letter in a filter of 5,000
// bills, 25 of them shown, keeps the page until it is painted, and until the rows are
// that it leaves. Prints JSON, in milliseconds.
import { launch, signIn } from './browser.mjs';

const [url, user, password] = process.argv.slice(2);
// No wait for the screen's next picture: what is measured is the page's work.
const browser = await launch('--disable-frame-rate-limit', '--disable-gpu-vsync');
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  // One bill that is found becomes 5,000, every hundredth of another name.
  await page.evaluateOnNewDocument(() => {
    const ask = window.fetch;
    window.fetch = async (request, options) => {
      const answer = await ask(request, options);
      if (!String(request.url ?? request).includes('/api/billSearch/searchByAssorted')) return answer;
      const [bill] = await answer.json();
      const bills = Array.from({ length: 5000 }, (_, n) => ({
        ...bill,
        billControlNumber: `${7_000_000_000 + n}`,
        patientFirstName: n % 100 === 0 ? 'Zachary' : `Anna${n % 97}`,
      }));
      return Response.json(bills);
    };
  });
  await signIn(page, url, user, password);
  const { ftin, billControlNumber } = await page.evaluate(async () => {
    const { token } = await (await fetch('/api/session')).json();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ filter: {}, limit: 1 });
    return (await (await fetch('/api/work/bills/search', { method: 'POST', headers, body })).json()).bills[0];
  });
  await page.goto(`${url}/wcpp/billSearch`);
  await (await page.waitForSelector('[role=combobox]')).type(ftin);
  await (await page.waitForSelector('[role=option]')).click();
  await page.keyboard.press('Escape');
  await (await page.waitForSelector('::-p-text(Search by Bill ID)')).click();
  await (await page.waitForSelector('::-p-aria(Bill Control Number)')).type(billControlNumber);
  await page.keyboard.press('Enter');
  const filter = await page.waitForSelector('input[aria-label="Filter by Claimant Name"]');
  await page.select('nav[aria-label^="Pages of"] select', '25');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 25);
  await page.evaluate(() => {
    window.painted = [];
    window.narrowed = [];
    const after = (then) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = then;
        port2.postMessage(0);
      });
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => after(() => window.painted.push(performance.now() - timeStamp)),
      true,
    );
    let pressed = 0;
    document.addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), true);
    new MutationObserver(() => {
      const since = pressed;
      pressed = 0;
      if (since) after(() => window.narrowed.push(performance.now() - since));
    }).observe(document.querySelector('tbody'), { childList: true, subtree: true, characterData: true });
  });
  await filter.focus();
  for (let round = 0; round < 20; round++)
    for (const key of ['z', 'a', 'Backspace', 'Backspace']) {
      await page.keyboard.press(key);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  const { painted, narrowed } = await page.evaluate(() => ({ painted: window.painted, narrowed: window.narrowed }));
  const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)];
  console.log(
    JSON.stringify({
      keys: painted.length,
      median: at(painted, 0.5),
      slow: at(painted, 0.95),
      rows: at(narrowed, 0.5),
      narrowed: narrowed.length,
    }),
  );
} finally {
  await browser.close();
}
