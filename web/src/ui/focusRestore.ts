const headings = 'h1, h2, h3, h4';
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

interface Place {
  element: Element;
  /** Its ancestors, nearest first. Some are still on the page when the element is gone. */
  within: Element[];
  seen: boolean;
}

/**
 * Preserves the keyboard user's place when the focused element leaves the page, such as the
 * button of a removed row. The nearest remaining heading takes the focus; the browser would
 * restart at the top of the page. A control that's disabled while focused gets the focus back
 * when it's enabled. In a dialog the heading, or the dialog itself, has the focus until then, or
 * Tab would leave the dialog. Returns a function that stops it.
 */
export function startFocusRestore(): () => void {
  let last: Place | null = null;
  /**
   * The last place outside dialogs and menus, for when they disappear together with the control
   * that opened them.
   */
  let below: Place | null = null;
  /** The disabled element, and where the focus is until it's enabled. */
  let held: { place: Place; at: Element } | null = null;

  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    if (held && target !== held.at) held = null;
    const within: Element[] = [];
    for (let each = target.parentElement; each && each !== document.body; each = each.parentElement)
      within.push(each);
    last = { element: target, within, seen: target.matches(':focus-visible') };
    if (!target.closest(overlays)) below = last;
  };
  /** A click on an empty part of the page drops the focus on purpose, so don't restore it. */
  const dropFocus = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (last?.element === target && isUsable(last.element) && document.activeElement === document.body)
        last = null;
    });
  /** Checks where browsers leave a lost focus: the body, or briefly the disabled element. */
  const isLost = ({ element }: Place) =>
    document.activeElement === document.body || document.activeElement === element;
  const findLayer = (within: Element[]) => within.find((each) => each.matches(overlays));
  const focusHeading = ({ element, within, seen }: Place) => {
    const left = within.filter((each) => each.isConnected);
    // In an open panel without a heading, the panel itself takes the focus.
    const layer = findLayer(left);
    const heading = (layer ? left.slice(0, left.indexOf(layer) + 1) : left)
      .map((each) => each.querySelector<HTMLElement>(headings))
      .find((found) => found !== null);
    const next = heading ?? ((layer ?? element) as HTMLElement);
    if (next !== element && !next.hasAttribute('tabindex')) next.tabIndex = -1;
    // Pointer users don't need a focus ring, and the page shouldn't scroll under the pointer.
    next.focus({ preventScroll: !seen });
    return next;
  };
  const restore = () => {
    if (!last || isUsable(last.element) || !isLost(last)) return;
    const place = last;
    const layer = findLayer(place.within);
    if (place.element.isConnected) {
      held = { place, at: layer ? focusHeading(place) : document.body };
      return;
    }
    last = null;
    if (!layer || layer.isConnected || !below) return void focusHeading(place);
    if (isVisible(below.element)) (below.element as HTMLElement).focus({ preventScroll: !below.seen });
    else focusHeading(below);
  };
  const returnFocus = () => {
    if (!held || !isUsable(held.place.element)) return;
    const { place, at } = held;
    held = null;
    if (isLost(place) || document.activeElement === at)
      (place.element as HTMLElement).focus({ preventScroll: true });
  };
  // Components that move the focus themselves have done so by then.
  let turn: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (held) returnFocus();
    if (!last || isUsable(last.element)) return;
    clearTimeout(turn);
    turn = setTimeout(restore);
  });
  document.addEventListener('focusin', note);
  document.addEventListener('focusout', dropFocus);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', dropFocus);
    observer.disconnect();
    clearTimeout(turn);
  };
}

/** Reports whether the element is shown. Older browsers know only whether it's on the page. */
const isVisible = (element: Element) => element.checkVisibility?.() ?? element.isConnected;

/** Reports whether the element is on the page and can take the focus. */
const isUsable = (element: Element) => element.isConnected && !element.matches(':disabled');
