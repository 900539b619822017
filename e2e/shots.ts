import { test } from './portal';
import { screenGroups } from './screens/index';

for (const walk of screenGroups) {
  test(walk.map(({ name }) => name).join('; '), async ({ page, specimens }) => {
    test.setTimeout(test.info().timeout * walk.length);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { name, show } of walk) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await show(page, specimens);
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1440, 768, 360]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          // Content frames report their height shortly after rendering.
          await page.waitForTimeout(200);
          // A dialog covers the window, not the page.
          const fullPage = (await page.getByRole('dialog').count()) === 0;
          const path = `shots/${name.replace(/\W+/g, '-')}-${width}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage });
        }
    }
  });
}
