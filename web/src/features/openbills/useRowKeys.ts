import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useSingleKeys } from '@/ui/singleKeys';

/**
 * Keyboard shortcuts for the rows of the page's table, as in email clients: j and k move down
 * and up. Each other letter runs its action with the current row's position on the page; -1
 * without a current row.
 */
export function useRowKeys(place: RefObject<HTMLElement | null>, keys: Record<string, (at: number) => void>) {
  const singleKeys = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!singleKeys && event.key !== 'Enter') return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const links = [...(place.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])];
    const row = document.activeElement?.closest('tbody tr');
    const at = links.findIndex((link) => row?.contains(link));
    if (event.key === 'j' || event.key === 'k') {
      links[Math.max(0, Math.min(links.length - 1, at + (event.key === 'j' ? 1 : -1)))]?.focus();
      return;
    }
    const act = keys[event.key];
    // A key held down acts once.
    if (!act || event.repeat) return;
    // Enter on a row's other controls is theirs.
    if (event.key === 'Enter' && !(at >= 0 && event.target === links[at])) return;
    // Otherwise the dialog that opens would receive the letter.
    event.preventDefault();
    act(at);
  });
  // Starts at the heading, which has the focus after navigation.
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
