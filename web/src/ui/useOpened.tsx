import { type MouseEventHandler, type RefCallback, useId, useLayoutEffect, useState } from 'react';

/** What a button has that opens a panel. */
export interface Opener {
  id?: string;
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
  onClick?: MouseEventHandler<HTMLButtonElement>;
}

/**
 * For a panel of Mantine's that a button opens: it is made when it is first opened, so that a page with many such
 * buttons has none before, and stays, so that it can give the focus back. `opener` goes to the button, `panel` to the
 * panel.
 */
export function useOpened(open: boolean, popup: 'menu' | 'dialog') {
  const id = useId();
  const [there, setThere] = useState(open);
  // It is there before it opens: in opening it notes where the focus was.
  useLayoutEffect(() => {
    if (open) setThere(true);
  }, [open]);
  return {
    there: there || open,
    opener: {
      id,
      'aria-haspopup': popup,
      'aria-expanded': open,
      'aria-controls': open ? `${id}-dropdown` : undefined,
    },
    panel: { id, opened: there && open },
  };
}

/** Stands as a panel's target for the button of this id: that one stays as it is when the panel is made. */
export function ButtonOf({ id, ref }: { id: string; ref?: RefCallback<HTMLElement> }) {
  useLayoutEffect(() => {
    ref?.(document.getElementById(id));
  }, [id, ref]);
  return null;
}
