import puppeteer, { type ElementHandle } from 'puppeteer-core';
import type { Driver } from './driver';

/** Starts a browser that puppeteer can control. */
export async function startBrowser(
  browserName: 'chrome' | 'firefox',
  executablePath: string,
): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: browserName,
    executablePath,
    args: browserName === 'chrome' ? ['--no-sandbox'] : [],
    defaultViewport: { width: 1440, height: 900 },
  });
  const page = await browser.newPage();
  const call = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    const result = await page.evaluateHandle(
      new Function(`return (${body})(...arguments)`) as (...args: unknown[]) => unknown,
      ...args,
    );
    return (result.asElement() ?? (await result.jsonValue())) as T;
  };
  return {
    open: async (url) => {
      await page.goto(url);
    },
    call: (body, ...args) =>
      call<never>(body, ...args).catch((reason: Error) => {
        if (!/context was destroyed/.test(reason.message)) throw reason;
        return call(body, ...args); // on the page that replaced it
      }),
    click: async (element) => {
      await page.bringToFront(); // a page behind a new window isn't drawn
      await (element as ElementHandle).click();
    },
    type: (text) => page.keyboard.type(text),
    choose: (input, file) => (input as ElementHandle<HTMLInputElement>).uploadFile(file),
    windows: async () => (await browser.pages()).length,
    close: () => browser.close(),
  };
}
