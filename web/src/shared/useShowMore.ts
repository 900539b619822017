import { type MouseEvent, useEffectEvent, useLayoutEffect, useRef } from 'react';

interface List {
  data: unknown;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/**
 * The props of a button that loads more rows. The first new row gets the focus, because the button
 * disappears after the last ones.
 */
export function useShowMore({ data, isFetchingNextPage, fetchNextPage }: List) {
  const shown = useRef<{ button: Element; page: Element; rows: Set<Element> }>(null);
  const focusFirst = useEffectEvent(() => {
    if (!shown.current) return;
    const { button, page, rows } = shown.current;
    shown.current = null;
    // Users who moved on in the meantime stay there.
    if (![button, document.body].includes(document.activeElement as Element)) return;
    const row = listRows(page).find((each) => !rows.has(each));
    const target = row?.querySelector('a') ?? row;
    if (target && target === row) target.tabIndex = -1;
    target?.focus();
  });
  // Before the removed button's focus is restored elsewhere.
  useLayoutEffect(() => {
    if (data && !isFetchingNextPage) focusFirst();
  }, [data, isFetchingNextPage]);
  return {
    busy: isFetchingNextPage,
    onClick: ({ currentTarget: button }: MouseEvent) => {
      const page = button.closest('.page') ?? document.body;
      shown.current = { button, page, rows: new Set(listRows(page)) };
      void fetchNextPage();
    },
  };
}

const listRows = (page: Element) => [...page.querySelectorAll<HTMLElement>('tbody tr')];
