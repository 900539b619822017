import { useEffect, useLayoutEffect, useState } from 'react';
import type { Option } from './inputs';

/**
 * What is typed into a searchable list, and the option that Enter takes: the first that is shown, also when the options
 * come after the text. `chosen` is the text of what is chosen already, which Enter leaves.
 */
export function useTyped(id: string, options: readonly Option[], chosen?: string) {
  const [typed, setTyped] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the options on show have changed
  useLayoutEffect(() => {
    if (typed && typed !== chosen) markFirstOption(id);
  }, [id, typed, chosen, options]);
  useLayoutEffect(() => {
    const input = document.getElementById(id);
    input?.addEventListener('keydown', takeMarked);
    return () => input?.removeEventListener('keydown', takeMarked);
  }, [id]);
  return [typed, setTyped] as const;
}

/** Mantine marks the first option before the list is filtered, and what it marked may be gone by now. */
function markFirstOption(id: string) {
  const list = listOf(document.getElementById(id));
  if (!list || list.querySelector('[data-combobox-selected]')) return;
  list.querySelector('[role="option"]')?.setAttribute('data-combobox-selected', 'true');
}

const listOf = (input: Element | null) => document.getElementById(input?.getAttribute('aria-controls') ?? '');

/**
 * Names to screen readers the option that is marked, as Enter takes it: Mantine names the one that arrows led to, even
 * when its list is another by now. The list is no stop of Tab, as it is gone once the field is left.
 */
export function useMarkedIsTold(id: string) {
  const [opened, setOpened] = useState(false);
  const [there, setThere] = useState(false);
  // Mantine knows the list once it was drawn, and names it at the next drawing.
  useEffect(() => setThere(opened), [opened]);
  useEffect(() => {
    const input = document.getElementById(id);
    const list = there ? listOf(input) : null;
    if (!input || !list) return;
    list.tabIndex = -1;
    const tell = () => {
      const marked = list.querySelector('[data-combobox-selected]');
      if (marked) input.setAttribute('aria-activedescendant', marked.id);
      else input.removeAttribute('aria-activedescendant');
    };
    const observer = new MutationObserver(tell);
    observer.observe(list, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-combobox-selected'],
    });
    tell();
    return () => {
      observer.disconnect();
      input.removeAttribute('aria-activedescendant');
    };
  }, [id, there]);
  return { onDropdownOpen: () => setOpened(true), onDropdownClose: () => setOpened(false) };
}

/** The option that is typed whole, which is taken when the field is left. */
export function typedWhole(typed: string, options: readonly Option[]): Option | undefined {
  const text = typed.trim().toLowerCase();
  const meant = options.filter(({ label, value }) =>
    [label, value].some((each) => each.toLowerCase() === text),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** Takes the first option on show. */
export function takeFirst(id: string): void {
  listOf(document.getElementById(id))?.querySelector<HTMLElement>('[role="option"]')?.click();
}

/** Mantine marks an option and notes its place, which a timer of an opening list may forget: what is marked is taken. */
function takeMarked(event: KeyboardEvent) {
  if (event.key !== 'Enter' || event.isComposing) return;
  const marked = listOf(event.currentTarget as Element)?.querySelector<HTMLElement>(
    '[data-combobox-selected]',
  );
  if (!marked) return;
  event.preventDefault();
  event.stopPropagation();
  marked.click();
}
