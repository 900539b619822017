import {
  type KeyboardEvent,
  type KeyboardEventHandler,
  type MouseEventHandler,
  type RefCallback,
  useId,
  useLayoutEffect,
  useState,
} from 'react';
import { useIsOnTop } from './useIsOnTop';

/** The props of a button that opens a panel. */
export interface Opener {
  id?: string;
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
  'data-mantine-stop-propagation'?: boolean;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  onKeyDown?: KeyboardEventHandler<HTMLButtonElement>;
}

/**
 * For a Mantine panel that a button opens. It mounts on first open, so that a page with many
 * such buttons starts without panels. It stays mounted to return the focus. `opener` goes to the
 * button, `panel` to the panel.
 */
export function useLazyDialog(open: boolean, popup: 'menu' | 'dialog', close: () => void) {
  const id = useId();
  const [hasOpened, setHasOpened] = useState(open);
  // Escape in the panel doesn't close a dialog around it.
  useIsOnTop(open);
  // It mounts before it opens, because it records the focus while opening.
  useLayoutEffect(() => {
    if (open) setHasOpened(true);
  }, [open]);
  return {
    isMounted: hasOpened || open,
    opener: {
      id,
      'aria-haspopup': popup,
      'aria-expanded': open,
      'aria-controls': open ? `${id}-dropdown` : undefined,
      // The panel handles Escape only when the focus has moved into it. A dialog around the button
      // stays open.
      'data-mantine-stop-propagation': open || undefined,
      onKeyDown: open ? ({ key }: KeyboardEvent) => key === 'Escape' && close() : undefined,
    },
    panel: { id, opened: hasOpened && open },
  };
}

/**
 * The panel's target, which refers to the button with this id. The button itself doesn't remount
 * with the panel.
 */
export function ButtonTarget({ id, ref }: { id: string; ref?: RefCallback<HTMLElement> }) {
  useLayoutEffect(() => {
    ref?.(document.getElementById(id));
  }, [id, ref]);
  return null;
}
