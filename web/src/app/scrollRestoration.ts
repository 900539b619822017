import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A link or button of a screen, identified by its text. */
interface Trigger {
  text: string;
  /** Its position among elements with the same text. */
  at: number;
  /** The focus ring was visible. */
  isFocusVisible: boolean;
}

// The link or button that left each visit.
const triggers = new Map<string, Trigger>();

// How long to wait, in milliseconds. A screen may have to load its content first.
const maxWait = 5_000;

const getKey = ({ state }: ParsedLocation) => state.__TSR_key ?? state.key ?? '';

type TriggerElement = HTMLAnchorElement | HTMLButtonElement;
const triggerSelector = 'main a[href], main button';

const getText = (way: TriggerElement) => way.getAttribute('aria-label') ?? way.textContent;

const findTriggers = (text: string) =>
  [...document.querySelectorAll<TriggerElement>(triggerSelector)].filter((way) => getText(way) === text);

/** Records the link or button that navigated, for example a button in a row's menu. */
function recordTrigger(from: ParsedLocation, to: ParsedLocation): void {
  const way = document.activeElement?.closest<TriggerElement>(triggerSelector);
  if (!way || ('pathname' in way && !way.pathname.endsWith(to.pathname))) return;
  const text = getText(way);
  triggers.set(getKey(from), {
    text,
    at: findTriggers(text).indexOf(way),
    isFocusVisible: way.matches(':focus-visible'),
  });
}

/** Some screens, such as the directory, show a new visit at the same path. */
const isNewVisit = (from: ParsedLocation | undefined, to: ParsedLocation): from is ParsedLocation =>
  from !== undefined && from.state.__TSR_index !== to.state.__TSR_index;

let stop = () => {};

/**
 * After Back, the focus returns to the link or button that left the visit, so that users don't
 * start again at the heading. It moves once that element exists, unless the user has moved the
 * focus.
 */
function restoreTrigger(location: ParsedLocation, heading: HTMLElement): void {
  stop();
  const trigger = triggers.get(getKey(location));
  if (!trigger) return;
  const restore = () => {
    if (document.activeElement !== heading) return stop();
    const way = findTriggers(trigger.text)[trigger.at];
    if (!way) return;
    stop();
    // Pointer users don't want the page to scroll.
    way.focus({ preventScroll: !trigger.isFocusVisible });
  };
  const observer = new MutationObserver(restore);
  const timer = setTimeout(() => stop(), maxWait);
  stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    stop = () => {};
  };
  observer.observe(document.body, { childList: true, subtree: true });
  restore();
}

/** Records how users leave screens, and restores that place when they come back. */
export function useScrollRestoration(): void {
  const router = useRouter();
  useEffect(() => {
    const unsubscribers = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
        if (isNewVisit(fromLocation, toLocation)) recordTrigger(fromLocation, toLocation);
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        const heading = document.activeElement;
        if (!isNewVisit(fromLocation, toLocation) || !(heading instanceof HTMLElement)) return;
        if (heading.matches('main h1, #main')) restoreTrigger(toLocation, heading);
      }),
    ];
    return () => {
      for (const forget of unsubscribers) forget();
    };
  }, [router]);
}
