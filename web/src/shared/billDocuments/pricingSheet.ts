import fontUrl from 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf?url';
import { jsPDF } from 'jspdf';

/** A line that contains this starts a page. */
const pageMark = 'PAGE ';

// A4 and its margins in points. A Courier character is 0.6 of the font size wide.
const page = { width: 595.28, height: 841.89, margin: 40 };
const courierWidth = 0.6;
const embedded = { name: 'DejaVuSansMono', width: 0.602 };

// Every PDF reader has Courier, but only with the characters of Windows-1252.
const beyondCourier = /[^ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
const lineHeight = 1.15;
const largestSize = 10;

export function splitPages(lines: readonly string[]): string[][] {
  const pages: string[][] = [];
  for (const line of lines) {
    const current = pages.at(-1);
    if (!current || line.includes(pageMark)) pages.push([line]);
    else current.push(line);
  }
  return pages;
}

/** Loads a font in jsPDF's format: one character per byte. */
async function loadFont(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The font answers ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x2000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x2000)));
  return parts.join('');
}

/**
 * Renders lines as an A4 document in Courier, or in a font that has all their characters. The
 * font size fits the longest line and the longest page. Load this module lazily: it includes
 * jsPDF.
 */
export async function renderPricingSheet(lines: readonly string[]): Promise<Blob> {
  const pages = splitPages(lines);
  const font = lines.some((line) => beyondCourier.test(line))
    ? embedded
    : { name: 'courier', width: courierWidth };
  const columns = Math.max(...lines.map((line) => line.length), 1);
  const rows = Math.max(...pages.map((lines) => lines.length), 1);
  const size = Math.min(
    largestSize,
    (page.width - 2 * page.margin) / (columns * font.width),
    (page.height - 2 * page.margin) / (rows * lineHeight),
  );
  const sheet = new jsPDF({ unit: 'pt', format: 'a4' });
  if (font === embedded) {
    sheet.addFileToVFS(`${font.name}.ttf`, await loadFont(fontUrl));
    sheet.addFont(`${font.name}.ttf`, font.name, 'normal');
  }
  sheet.setFont(font.name, 'normal').setFontSize(size).setLineHeightFactor(lineHeight);
  for (const [index, text] of pages.entries()) {
    if (index > 0) sheet.addPage('a4', 'portrait');
    sheet.text(text, page.margin, page.margin + size);
  }
  return sheet.output('blob');
}
