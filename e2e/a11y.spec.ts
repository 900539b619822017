import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect, test } from './portal';
import { screens } from './screens/index';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds by the rules of some tags, or by all, each with the elements it is about. */
async function findings(page: Page, tags?: string[]): Promise<string[]> {
  return page.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const values = axe.getRules(tags).map(({ ruleId }) => ruleId);
    const { violations } = await axe.run(document, {
      runOnly: { type: 'rule', values },
      resultTypes: ['violations'],
      // The frames are the content host's, which no script of ours looks into.
      iframes: false,
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
  }, tags);
}

/** Until the page has taken on the colours: what changes slowly is judged at its end. */
async function settle(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction((scheme) => {
    const changing = ({ effect, playState }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    return (
      matchMedia(`(prefers-color-scheme: ${scheme})`).matches && !document.getAnimations().some(changing)
    );
  }, colorScheme);
}

for (const { name, show, ownBrowser = false } of screens) {
  test.describe(() => {
    test.use({ ownBrowser });
    test(`${name} has no findings`, async ({ page, specimens }) => {
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Performance.enable');
      let last: Record<string, number> = {};
      const out: string[] = [];
      const mark = async (n: string) => {
        const { metrics } = await cdp.send('Performance.getMetrics');
        const m = Object.fromEntries(metrics.map((x) => [x.name, x.value]));
        const d = (k: string) => Math.round(1000 * ((m[k] ?? 0) - (last[k] ?? 0)));
        out.push(`${n} task=${d('TaskDuration')} script=${d('ScriptDuration')} layout=${d('LayoutDuration')} style=${d('RecalcStyleDuration')} wall=${Math.round(1000*((m.Timestamp??0)-(last.Timestamp??0)))} heap=${Math.round((m.JSHeapUsedSize??0)/1e6)} nodes=${m.Nodes}`);
        last = m;
      };
      await mark('start');
      await show(page, specimens);
      // Evaluated by the debugger, which the page's content security policy does not bind.
      await mark('show');
      await page.evaluate(axe);await mark('load');
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await settle(page, 'light');
        await mark('settle' + width);
        expect.soft(await findings(page), `light, ${width} px`).toEqual([]);await mark('axe'+width);
        if (width > 320) {
          // The colours are the same at every width.
          await settle(page, 'dark');
          expect.soft(await findings(page, ['cat.color']), 'dark').toEqual([]);await mark('dark');
        }
        const room = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        expect.soft(room[0], `${width} px wide`).toBeLessThanOrEqual(room[1] ?? 0);
      }
      await mark('room'); console.log('@@ ' + name + '\n' + out.slice(1).map((o) => '@ ' + o).join('\n'));
    });
  });
}
