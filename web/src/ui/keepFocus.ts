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
 * would start again at the top of the page. What is disabled while it has the focus gets it back once it is enabled;
 * in a dialog the heading has it until then, or Tab would lead out of the dialog. Answers how to stop.
 */
export function keepFocus(): () => void {
  let last: Place | null = null;
  /** The last place that is not in a dialog or menu, for when these go with what opened them. */
  let below: Place | null = null;
  /** What was disabled, and where the focus is meanwhile. */
  let held: { place: Place; at: Element } | null = null;

  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    if (held && target !== held.at) held = null;
    const within: Element[] = [];
    for (let each = target.parentElement; each && each !== document.body; each = each.parentElement)
      within.push(each);
    last = { element: target, within, seen: target.matches(':focus-visible') };
    if (!target.closest(over)) below = last;
  };
  /** Who presses an empty part of the page has given the focus up: nothing is to be kept. */
  const giveUp = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (last?.element === target && isUsable(last.element) && document.activeElement === document.body)
        last = null;
    });
  /** Looks for the focus where a browser leaves it: at the body, or for a moment longer at what is disabled. */
  const isLost = ({ element }: Place) =>
    document.activeElement === document.body || document.activeElement === element;
  const layerOf = ({ within }: Place) => within.find((each) => each.matches(over));
  const focusHeading = ({ element, within, seen }: Place) => {
    const left = within.filter((each) => each.isConnected);
    const heading = left
      .map((each) => each.querySelector<HTMLElement>(headings))
      .find((found) => found !== null);
    if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    const next = heading ?? (element as HTMLElement);
    // The pointer needs no ring, and nothing that moves under it.
    next.focus({ preventScroll: !seen });
    return next;
  };
  const restore = () => {
    if (!last || isUsable(last.element) || !isLost(last)) return;
    const place = last;
    const layer = layerOf(place);
    if (place.element.isConnected) {
      held = { place, at: layer ? focusHeading(place) : document.body };
      return;
    }
    last = null;
    if (!layer || layer.isConnected || !below) return void focusHeading(place);
    if (below.element.isConnected) (below.element as HTMLElement).focus({ preventScroll: !below.seen });
    else focusHeading(below);
  };
  const giveBack = () => {
    if (!held || !isUsable(held.place.element)) return;
    const { place, at } = held;
    held = null;
    if (isLost(place) || document.activeElement === at)
      (place.element as HTMLElement).focus({ preventScroll: true });
  };
  // Who gives the focus on by themselves has done so by then.
  let turn: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (held) giveBack();
    if (!last || isUsable(last.element)) return;
    clearTimeout(turn);
    turn = setTimeout(restore);
  });
  document.addEventListener('focusin', note);
  document.addEventListener('focusout', giveUp);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', giveUp);
    observer.disconnect();
    clearTimeout(turn);
  };
}

/** It is there and can have the focus. */
const isUsable = (element: Element) => element.isConnected && !element.matches(':disabled');
