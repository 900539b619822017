import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { renderPricingSheet, splitPages } from './pricingSheet';

const lines = ['NETWORK PRICING SHEET   PAGE 1', 'a', 'b', 'NETWORK PRICING SHEET   PAGE 2', 'c'];

it('starts a page at each marked line', () => {
  expect(splitPages(lines)).toEqual([lines.slice(0, 3), lines.slice(3)]);
  expect(splitPages(['before', ...lines])[0]).toEqual(['before']);
  expect(splitPages([])).toEqual([]);
});

it('renders each as an A4 page in Courier', async () => {
  const pdf = await (await renderPricingSheet(lines)).text();
  expect(pdf.startsWith('%PDF-')).toBe(true);
  expect(pdf.match(/\/Type \/Page\n/g)).toHaveLength(2);
  expect(pdf).toMatch(/\/MediaBox \[0 0 595\.2\d* 841\.8\d*\]/);
  expect(pdf).toContain('/BaseFont /Courier');
});

it('fits long lines and long pages', async () => {
  const wide = await (await renderPricingSheet(['PAGE 1', 'x'.repeat(200)])).text();
  // 515 points for 200 characters of 0.6.
  expect(Number(/\/F\d+ ([\d.]+) Tf/.exec(wide)?.[1])).toBeCloseTo(4.29, 1);
  const long = await (await renderPricingSheet(['PAGE 1', ...Array.from({ length: 199 }, () => 'x')])).text();
  expect(Number(/\/F\d+ ([\d.]+) Tf/.exec(long)?.[1])).toBeCloseTo(3.31, 1);
});

it('embeds a font for names with characters missing in Courier', async () => {
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async () => new Response(readFileSync('node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')),
    );
  const plain = await (await renderPricingSheet(['PAGE 1', 'JOSÉ MUÑOZ – “Pepe”'])).text();
  expect(plain).not.toContain('/BaseFont /DejaVuSansMono');
  expect(asked).not.toHaveBeenCalled();
  const pdf = await (await renderPricingSheet(['PAGE 1', 'ŁUKASZ ŻÓŁĆ', 'Erdős', 'Юлия'])).text();
  expect(asked).toHaveBeenCalledOnce();
  expect(pdf).toContain('DejaVuSansMono');
  // The text can be copied from the document: Ł is U+0141.
  expect(pdf.toLowerCase()).toMatch(/<[0-9a-f]{4}><0141>/);
});
