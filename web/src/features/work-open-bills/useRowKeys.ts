import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Works through the rows of the page's table by letters, as in mail: j and k go down and up, and each other letter does
 * what it is told to with the row one is at, by its place on the page; -1: at none.
 */
export function useRowKeys(place: RefObject<HTMLElement | null>, keys: Record<string, (at: number) => void>) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const links = [...(place.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])];
    const row = document.activeElement?.closest('tbody tr');
    const at = links.findIndex((link) => row?.contains(link));
    if (event.key === 'j' || event.key === 'k') {
      links[Math.max(0, Math.min(links.length - 1, at + (event.key === 'j' ? 1 : -1)))]?.focus();
      return;
    }
    const act = keys[event.key];
    // A key that is held down does nothing twice.
    if (!act || event.repeat) return;
    // It would be typed into the dialog that opens.
    event.preventDefault();
    act(at);
  });
  // From the heading on, where whoever comes here stands.
  useEffect(() => {
    const page = place.current?.closest<HTMLElement>('.page');
    const listen = (event: KeyboardEvent) => onKey(event);
    page?.addEventListener('keydown', listen);
    return () => page?.removeEventListener('keydown', listen);
  }, [place]);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('textarea, select, [role=dialog], [role=menu], input:not([type=checkbox])') !== null;
