import { useEffect, useLayoutEffect, useState } from 'react';
import type { Option } from './inputs';

/**
 * The typed text of a searchable list, and the option that Enter selects: the first one shown,
 * even if the options arrive after the text. `chosen` is the text of the current selection,
 * which Enter doesn't change.
 */
export function useTypedText(id: string, options: readonly Option[], chosen?: string) {
  const [typed, setTyped] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns when the visible options change
  useLayoutEffect(() => {
    if (typed && typed !== chosen) markFirstOption(id);
  }, [id, typed, chosen, options]);
  useLayoutEffect(() => {
    const input = document.getElementById(id);
    input?.addEventListener('keydown', selectMarked);
    return () => input?.removeEventListener('keydown', selectMarked);
  }, [id]);
  return [typed, setTyped] as const;
}

/** Mantine marks the first option before it filters the list, so the marked one may be gone. */
function markFirstOption(id: string) {
  const list = findList(document.getElementById(id));
  if (!list || list.querySelector('[data-combobox-selected]')) return;
  list.querySelector('[role="option"]')?.setAttribute('data-combobox-selected', 'true');
}

const findList = (input: Element | null) =>
  document.getElementById(input?.getAttribute('aria-controls') ?? '');

/**
 * Names the marked option to screen readers, because Enter selects it. Mantine names the option
 * that the arrow keys reached, even after the list has changed. The list isn't a tab stop
 * because it closes on blur.
 */
export function useAnnounceMarked(id: string) {
  const [opened, setOpened] = useState(false);
  const [isRendered, setRendered] = useState(false);
  // Mantine finds the list after it has rendered, and names it at the next render.
  useEffect(() => setRendered(opened), [opened]);
  useEffect(() => {
    const input = document.getElementById(id);
    const list = isRendered ? findList(input) : null;
    if (!input || !list) return;
    list.tabIndex = -1;
    const announce = () => {
      const marked = list.querySelector('[data-combobox-selected]');
      if (marked) input.setAttribute('aria-activedescendant', marked.id);
      else input.removeAttribute('aria-activedescendant');
    };
    const observer = new MutationObserver(announce);
    observer.observe(list, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-combobox-selected'],
    });
    announce();
    return () => {
      observer.disconnect();
      input.removeAttribute('aria-activedescendant');
    };
  }, [id, isRendered]);
  return { onDropdownOpen: () => setOpened(true), onDropdownClose: () => setOpened(false) };
}

/**
 * Describes the field by these elements. Mantine replaces aria-describedby with its own
 * description.
 */
export function useDescribedBy(id: string, ids: string | undefined) {
  // At each render, because Mantine sets it when its description changes.
  useLayoutEffect(() => {
    if (ids) document.getElementById(id)?.setAttribute('aria-describedby', ids);
    else document.getElementById(id)?.removeAttribute('aria-describedby');
  });
}

/** Finds the option whose full text was typed. It's selected on blur. */
export function findTypedOption(typed: string, options: readonly Option[]): Option | undefined {
  const text = typed.trim().toLowerCase();
  const matches = options.filter(({ label, value }) =>
    [label, value].some((each) => each.toLowerCase() === text),
  );
  return matches.length === 1 ? matches[0] : undefined;
}

/** Selects the first visible option. */
export function selectFirst(id: string): void {
  findList(document.getElementById(id))?.querySelector<HTMLElement>('[role="option"]')?.click();
}

/**
 * Mantine marks an option and stores its index, but a timer of an opening list may reset that.
 * So this selects the marked option.
 */
function selectMarked(event: KeyboardEvent) {
  if (event.key !== 'Enter' || event.isComposing) return;
  const marked = findList(event.currentTarget as Element)?.querySelector<HTMLElement>(
    '[data-combobox-selected]',
  );
  if (!marked) return;
  event.preventDefault();
  event.stopPropagation();
  marked.click();
}
