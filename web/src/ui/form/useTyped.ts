import { useLayoutEffect, useState } from 'react';

/** What is typed into a searchable list, with the option that Enter would take told to screen readers. */
export function useTyped(id: string) {
  const [typed, setTyped] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the options on show have changed
  useLayoutEffect(() => markFirstOption(id), [id, typed]);
  useLayoutEffect(() => {
    const input = document.getElementById(id);
    input?.addEventListener('keydown', takeMarked);
    return () => input?.removeEventListener('keydown', takeMarked);
  }, [id]);
  return [typed, setTyped] as const;
}

/** Mantine notes the first option before the list is filtered, and what it noted may be gone by now. */
function markFirstOption(id: string) {
  const input = document.getElementById(id);
  const list = document.getElementById(input?.getAttribute('aria-controls') ?? '');
  if (!input || !list || !input.hasAttribute('aria-activedescendant')) return;
  const first = list.querySelector('[role="option"]');
  first?.setAttribute('data-combobox-selected', 'true');
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
