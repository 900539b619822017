/** A line that contains this starts a page. */
const pageMark = 'PAGE ';

// A4 and its margins in points; Courier is 0.6 of its size wide.
const page = { width: 595.28, height: 841.89, margin: 40 };
const courierWidth = 0.6;
const lineHeight = 1.15;
const largestSize = 10;

export function pagesOf(lines: readonly string[]): string[][] {
  const pages: string[][] = [];
  for (const line of lines) {
    const current = pages.at(-1);
    if (!current || line.includes(pageMark)) pages.push([line]);
    else current.push(line);
  }
  return pages;
}

/** Lines as an A4 document in Courier, as large as the longest line and the longest page allow. */
export async function pricingSheetPdf(lines: readonly string[]): Promise<Blob> {
  const { jsPDF } = await import('jspdf');
  const pages = pagesOf(lines);
  const columns = Math.max(...lines.map((line) => line.length), 1);
  const rows = Math.max(...pages.map((lines) => lines.length), 1);
  const size = Math.min(
    largestSize,
    (page.width - 2 * page.margin) / (columns * courierWidth),
    (page.height - 2 * page.margin) / (rows * lineHeight),
  );
  const sheet = new jsPDF({ unit: 'pt', format: 'a4' });
  sheet.setFont('courier', 'normal').setFontSize(size).setLineHeightFactor(lineHeight);
  for (const [index, text] of pages.entries()) {
    if (index > 0) sheet.addPage('a4', 'portrait');
    sheet.text(text, page.margin, page.margin + size);
  }
  return sheet.output('blob');
}
