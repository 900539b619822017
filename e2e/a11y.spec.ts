import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect, test } from './portal';
import { screenGroups } from './screens/index';
import type { Screen } from './screens/screen';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Loads axe into the page if it isn't there yet. */
async function loadAxe(page: Page) {
  if (await page.evaluate(() => 'axe' in window)) return;
  // The debugger evaluates it, so the page's content security policy doesn't apply.
  await page.evaluate(axe);
  await page.evaluate(() => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // The axe options, with the ratios of color-contrast-enhanced.
    const options = {
      ignoreUnicode: true,
      ignoreLength: false,
      ignorePseudo: false,
      boldValue: 700,
      boldTextPt: 14,
      largeTextPt: 18,
      contrastRatio: { normal: { expected: 7 }, large: { expected: 4.5 } },
      pseudoSizeThreshold: 0.25,
      shadowOutlineEmMax: 0.1,
      textStrokeEmMin: 0.03,
    };
    axe.configure({
      checks: [{ id: 'color-contrast', options }],
      rules: [{ id: 'color-contrast', any: ['color-contrast'] }],
    });
  });
}

/**
 * Runs axe with all rules, only the color rules or all others, and lists the problems with their
 * elements. color-contrast uses the ratios of color-contrast-enhanced, which would measure
 * everything again. Without `whole`, it leaves out the frame around the screen, or with an open
 * dialog, all that is behind it.
 */
async function findings(page: Page, rules: 'all' | 'colours' | 'others', whole: boolean): Promise<string[]> {
  return page.evaluate(
    async ({ rules, whole }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const values = axe
        .getRules()
        .filter(({ tags }) => rules === 'all' || tags.includes('cat.color') === (rules === 'colours'))
        .map(({ ruleId }) => ruleId)
        .filter((id) => id !== 'color-contrast-enhanced');
      // Later rows of a table look like the first ones, and would take a third of the time.
      const frame = whole
        ? []
        : [
            'nav[aria-label="Workspace"]',
            'footer',
            'header:has(nav[aria-label="Main"]):not(:has([aria-expanded="true"]))',
          ];
      const modal = '[aria-modal="true"]';
      const part = {
        include: [[!whole && document.querySelector(modal) ? modal : 'html']],
        exclude: ['tbody tr:nth-child(n+9)', ...frame].map((selector) => [selector]),
      };
      const { violations } = await axe.run(part, {
        runOnly: { type: 'rule', values },
        resultTypes: ['violations'],
        // The frames belong to the content host, which our scripts can't inspect.
        iframes: false,
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    },
    { rules, whole },
  );
}

/** Applies the color scheme and width, and finishes CSS transitions before the check. */
async function settle(page: Page, colorScheme: 'light' | 'dark', width: number) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction((scheme) => {
    const changing = ({ effect, playState }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    return (
      matchMedia(`(prefers-color-scheme: ${scheme})`).matches && !document.getAnimations().some(changing)
    );
  }, colorScheme);
}

/** Number column headers that aren't aligned with their cells, with the difference in pixels. */
const findMisalignedHeaders = (page: Page) =>
  page.evaluate(() => {
    /** The right edge of a cell's text, or of a button's border. */
    const ends = (cell: Element | undefined) => {
      const texts = cell ? document.createTreeWalker(cell, NodeFilter.SHOW_TEXT) : null;
      let end: number | null = null;
      for (let text = texts?.nextNode(); text; text = texts?.nextNode()) {
        const { parentElement } = text;
        if (!text.textContent?.trim() || parentElement?.closest('.visually-hidden')) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const box = parentElement?.closest('tbody button') ?? range;
        end = Math.max(end ?? 0, box.getBoundingClientRect().right);
      }
      return end;
    };
    return [...document.querySelectorAll('table')].flatMap((table) => {
      const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
      return heads.flatMap((head, at) => {
        const figures = [...(table.tBodies[0]?.rows ?? [])]
          .map(({ cells }) => cells[at])
          .filter((cell) => cell && cell.colSpan === 1 && getComputedStyle(cell).textAlign === 'end');
        const [end, below] = [ends(head), ends(figures.find((cell) => ends(cell) !== null))];
        if (end === null || below === null || Math.abs(end - below) <= 1) return [];
        return [`${head.textContent}: ${Math.round(end - below)} px`];
      });
    });
  });

/**
 * Tables wider than their container, by how many pixels. The results for a pasted list have as
 * many columns as the list, so they can scroll.
 */
const findWideTables = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')].flatMap((table) => {
      const box = table.parentElement;
      const more = box ? box.scrollWidth - box.clientWidth : 0;
      const own = box?.closest('section')?.querySelector('h2')?.textContent === 'Results';
      return more > 1 && !own ? [`${table.ariaLabel ?? table.textContent?.slice(0, 60)}: ${more} px`] : [];
    }),
  );

/** Controls in cells that overflow the cell, over its neighbor or out of sight. */
const findOverflowingControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('td')].flatMap((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      return [...cell.querySelectorAll('a, button, input, select')].flatMap((part) => {
        const box = part.getBoundingClientRect();
        const seen = box.width > 1 && getComputedStyle(part).position !== 'absolute';
        return seen && (box.left < left - 1 || box.right > right + 1) ? [part.textContent] : [];
      });
    }),
  );

const softly = expect.configure({ soft: true, timeout: 5_000 });

/**
 * Checks the current page: colors in both schemes on a wide screen, all other rules on a narrow
 * one. A screen's first state is checked with all rules on a wide screen too; its other states
 * have the same headers and menus.
 */
async function checkScreen(page: Page, { name, narrow = false }: Screen, first: boolean) {
  // Popups of fields are repositioned shortly after the window is resized.
  const room = (width: number) =>
    expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
        message: `${name}: ${width} px wide`,
      })
      .toBeLessThanOrEqual(0);
  await loadAxe(page);
  await settle(page, 'light', 1440);
  expect.soft(await findings(page, first ? 'all' : 'colours', first), `${name}: light`).toEqual([]);
  await room(1440);
  expect.soft(await findMisalignedHeaders(page), `${name}: heads of figures`).toEqual([]);
  expect.soft(await findWideTables(page), `${name}: tables at 1440 px`).toEqual([]);
  await settle(page, 'dark', 1440);
  expect.soft(await findings(page, 'colours', first), `${name}: dark`).toEqual([]);
  await settle(page, 'dark', 768);
  await room(768);
  // Rows become cards shortly after the window is resized.
  await softly.poll(() => findWideTables(page), { message: `${name}: tables at 768 px` }).toEqual([]);
  await softly.poll(() => findOverflowingControls(page), { message: `${name}: cells at 768 px` }).toEqual([]);
  await settle(page, 'dark', 320);
  await softly.poll(() => findOverflowingControls(page), { message: `${name}: cells, narrow` }).toEqual([]);
  // Colors are the same at all widths. Screens for narrow windows check them again, in both
  // schemes.
  expect.soft(await findings(page, narrow ? 'all' : 'others', first), `${name}: narrow`).toEqual([]);
  if (narrow) {
    await settle(page, 'light', 320);
    expect.soft(await findings(page, 'colours', first), `${name}: narrow, light`).toEqual([]);
  }
  await room(320);
}

for (const walk of screenGroups) {
  const [first, ...others] = walk;
  test.describe(() => {
    test.use({ ownBrowser: first?.ownBrowser ?? false });
    test(`${first?.name}${others.length > 0 ? `, and ${others.length} states more` : ''}`, async ({
      page,
      specimens,
    }) => {
      test.setTimeout(test.info().timeout * walk.length);
      for (const screen of walk)
        await test.step(screen.name, async () => {
          await settle(page, 'light', 1440);
          await screen.show(page, specimens);
          await checkScreen(page, screen, screen === first);
        });
    });
  });
}
