import { type ParsedLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A link of a screen, known again by what it says. */
interface Place {
  text: string;
  /** Of the links with this text. */
  at: number;
  /** The focus was to be seen there. */
  seen: boolean;
}

// By which link each visit was left.
const leftBy = new Map<string, Place>();

// What a screen shows may have to be asked for.
const comesWithin = 5_000;

const keyOf = ({ state }: ParsedLocation) => state.__TSR_key ?? state.key ?? '';

const linksOf = (text: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')].filter(
    (link) => link.textContent === text,
  );

/** Notes the link that leads from a visit to the next. */
function noteLink(from: ParsedLocation, to: ParsedLocation): void {
  const link = document.activeElement?.closest<HTMLAnchorElement>('main a[href]');
  if (!link?.pathname.endsWith(to.pathname)) return;
  const text = link.textContent;
  leftBy.set(keyOf(from), { text, at: linksOf(text).indexOf(link), seen: link.matches(':focus-visible') });
}

let stop = () => {};

/**
 * Who comes back to a visit stands at the link by which they left it, and not before all that they have read: the link
 * takes the focus from the heading once it is there, unless somebody has moved on.
 */
function returnToLink(location: ParsedLocation, heading: HTMLElement): void {
  stop();
  const place = leftBy.get(keyOf(location));
  if (!place) return;
  const look = () => {
    if (document.activeElement !== heading) return stop();
    const link = linksOf(place.text)[place.at];
    if (!link) return;
    stop();
    // The pointer needs nothing that moves under it.
    link.focus({ preventScroll: !place.seen });
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

/** Notes by which links screens are left, and leads back to them. */
export function useReturning(): void {
  const router = useRouter();
  useEffect(() => {
    const forgets = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation, pathChanged }) => {
        if (fromLocation && pathChanged) noteLink(fromLocation, toLocation);
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        const heading = document.activeElement;
        if (!fromLocation || !pathChanged || !(heading instanceof HTMLElement)) return;
        if (heading.matches('main h1, #main')) returnToLink(toLocation, heading);
      }),
    ];
    return () => {
      for (const forget of forgets) forget();
    };
  }, [router]);
}
