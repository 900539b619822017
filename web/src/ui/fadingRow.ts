import styles from './FadingRow.module.css';

/** The class of a row that scrolls sideways. Its element needs `markEdges` as ref. */
export const fadingRow = styles.row;

/** Marks the edges of a row beyond which there are more items. Returns a function that stops it. */
export function markEdges(row: HTMLElement | null) {
  if (!row) return;
  const mark = () => {
    row.toggleAttribute('data-before', row.scrollLeft > 1);
    row.toggleAttribute('data-after', row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
  };
  const sizes = new ResizeObserver(mark);
  const observeItems = () => {
    for (const item of row.querySelectorAll('li')) sizes.observe(item);
    mark();
  };
  const items = new MutationObserver(observeItems);
  sizes.observe(row);
  observeItems();
  items.observe(row, { childList: true, subtree: true });
  row.addEventListener('scroll', mark);
  return () => {
    sizes.disconnect();
    items.disconnect();
    row.removeEventListener('scroll', mark);
  };
}
