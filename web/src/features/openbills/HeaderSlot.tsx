import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The place next to the page's heading, which is there before the list is loaded. */
export const HeaderSlot = createContext<HTMLElement | null>(null);

/** Shows its content next to the page's heading. */
export function InHeader({ children }: { children: ReactNode }) {
  const slot = useContext(HeaderSlot);
  return slot && createPortal(children, slot);
}
