const headings = 'h1, h2, h3, h4';
const over = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

interface Place {
  element: Element;
  /** What it lies in, the nearest first: some of it is still there when the element is gone. */
  within: Element[];
  seen: boolean;
}

/**
 * Whoever works by keyboard goes on where they were when what had the focus is taken off the page, as the button of a
 * row that it removed: the heading of the nearest part that is left takes the focus, which the browser
 * would start again at the top of the page. Answers how to stop.
 */
export function keepFocus(): () => void {
  let last: Place | null = null;
  /** The last place that is not in a dialog or menu, for when these go with what opened them. */
  let below: Place | null = null;

  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    const within: Element[] = [];
    for (let each = target.parentElement; each && each !== document.body; each = each.parentElement)
      within.push(each);
    last = { element: target, within, seen: target.matches(':focus-visible') };
    if (!target.closest(over)) below = last;
  };
  /** Who presses an empty part of the page has given the focus up: nothing is to be kept. */
  const giveUp = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (last?.element === target && last?.element.isConnected && document.activeElement === document.body)
        last = null;
    });
  const restore = () => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const { seen } = last;
    const layer = last.within.find((each) => each.matches(over));
    const place = layer && !layer.isConnected ? (below ?? last) : last;
    last = null;
    const left = place.within.filter((each) => each.isConnected);
    const heading = place.element.isConnected
      ? null
      : left.map((each) => each.querySelector<HTMLElement>(headings)).find((found) => found !== null);
    const next = heading ?? (place.element as HTMLElement);
    if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    // The pointer needs no ring, and nothing that moves under it.
    next.focus({ preventScroll: !seen });
  };
  // Who gives the focus on by themselves has done so by then.
  let turn: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (!last || last.element.isConnected) return;
    clearTimeout(turn);
    turn = setTimeout(restore);
  });
  document.addEventListener('focusin', note);
  document.addEventListener('focusout', giveUp);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', giveUp);
    observer.disconnect();
    clearTimeout(turn);
  };
}
