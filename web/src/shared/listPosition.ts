import { type LinkProps, useLocation } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { useSession } from '@/api/session';
import type { ListRest } from './listRest';
import { getOwner } from './owner';

/* A page's position in the list that opened it, so that users can go through the list. */

/** The list of a table, around its links. */
export interface LinkedList extends Pick<LinkProps, 'to' | 'params'> {
  name: string;
  /** The IDs of the listed pages, in order. */
  ids: readonly string[];
  /** How many precede them, and how many there are in all, if known. */
  before: number;
  count?: number;
  /** Where the pages after these come from. */
  rest?: ListRest;
}

/** A page's position in it. */
export interface ListPosition extends LinkedList {
  owner: string;
  at: number;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list from which the page was opened. */
    position?: ListPosition;
  }
}

export const LinkedListContext = createContext<LinkedList | null>(null);

/** Returns the state of a link to a page, with its position in the list around it. */
export function useLinkState(id: string) {
  const list = useContext(LinkedListContext);
  const owner = getOwner(useSession());
  const at = list?.ids.indexOf(id) ?? -1;
  return list && at >= 0 ? { position: { ...list, owner, at } } : undefined;
}

/** Returns the position with which the page was opened, or null if it wasn't opened from a list. */
export function useListPosition(id: string): ListPosition | null {
  const owner = getOwner(useSession());
  const position = useLocation({ select: ({ state }) => state.position });
  return position?.owner === owner && position.ids[position.at] === id ? position : null;
}
