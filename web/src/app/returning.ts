import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A link or a button of a screen, known again by what it says. */
interface Place {
  text: string;
  /** Of those with this text. */
  at: number;
  /** The focus was to be seen there. */
  seen: boolean;
}

// By what each visit was left.
const leftBy = new Map<string, Place>();

// What a screen shows may have to be asked for.
const comesWithin = 5_000;

const keyOf = ({ state }: ParsedLocation) => state.__TSR_key ?? state.key ?? '';

type Way = HTMLAnchorElement | HTMLButtonElement;
const ways = 'main a[href], main button';

const textOf = (way: Way) => way.getAttribute('aria-label') ?? way.textContent;

const waysOf = (text: string) =>
  [...document.querySelectorAll<Way>(ways)].filter((way) => textOf(way) === text);

/** Notes what leads from a visit to the next: a link, or a button as that of a row's menu. */
function noteWay(from: ParsedLocation, to: ParsedLocation): void {
  const way = document.activeElement?.closest<Way>(ways);
  if (!way || ('pathname' in way && !way.pathname.endsWith(to.pathname))) return;
  const text = textOf(way);
  leftBy.set(keyOf(from), { text, at: waysOf(text).indexOf(way), seen: way.matches(':focus-visible') });
}

/** A screen with visits of its own, as the directory, shows another without another path. */
const isAnotherVisit = (from: ParsedLocation | undefined, to: ParsedLocation): from is ParsedLocation =>
  from !== undefined && from.state.__TSR_index !== to.state.__TSR_index;

let stop = () => {};

/**
 * Who comes back to a visit stands where they left it, and not before all that they have read: the link or button takes
 * the focus from the heading once it is there, unless somebody has moved on.
 */
function returnToWay(location: ParsedLocation, heading: HTMLElement): void {
  stop();
  const place = leftBy.get(keyOf(location));
  if (!place) return;
  const look = () => {
    if (document.activeElement !== heading) return stop();
    const way = waysOf(place.text)[place.at];
    if (!way) return;
    stop();
    // The pointer needs nothing that moves under it.
    way.focus({ preventScroll: !place.seen });
  };
  const observer = new MutationObserver(look);
  const timer = setTimeout(() => stop(), comesWithin);
  stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    stop = () => {};
  };
  observer.observe(document.body, { childList: true, subtree: true });
  look();
}

/** Notes by what screens are left, and leads back to them. */
export function useReturning(): void {
  const router = useRouter();
  useEffect(() => {
    const forgets = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
        if (isAnotherVisit(fromLocation, toLocation)) noteWay(fromLocation, toLocation);
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        const heading = document.activeElement;
        if (!isAnotherVisit(fromLocation, toLocation) || !(heading instanceof HTMLElement)) return;
        if (heading.matches('main h1, #main')) returnToWay(toLocation, heading);
      }),
    ];
    return () => {
      for (const forget of forgets) forget();
    };
  }, [router]);
}
