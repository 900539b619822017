import { useLayoutEffect, useState } from 'react';
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
  const input = document.getElementById(id);
  const list = document.getElementById(input?.getAttribute('aria-controls') ?? '');
  if (!input || !list || list.querySelector('[data-combobox-selected]')) return;
  const first = list.querySelector('[role="option"]');
  first?.setAttribute('data-combobox-selected', 'true');
  if (!input.hasAttribute('aria-activedescendant')) return;
  if (first) input.setAttribute('aria-activedescendant', first.id);
  else input.removeAttribute('aria-activedescendant');
}

/** Mantine marks an option and notes its place, which a timer of an opening list may forget: what is marked is taken. */
function takeMarked(event: KeyboardEvent) {
  if (event.key !== 'Enter' || event.isComposing) return;
  const list = document.getElementById((event.currentTarget as Element).getAttribute('aria-controls') ?? '');
  const marked = list?.querySelector<HTMLElement>('[data-combobox-selected]');
  if (!marked) return;
  event.preventDefault();
  event.stopPropagation();
  marked.click();
}
