import type { components } from '@/api/schema';
import type { TableState } from '@/ui/table/state';

/** A user in the lists of administrators. */
export type UserRow = components['schemas']['UserRow'];

/** A table's state in the history: never in the address, and never with rows. */
export interface SavedTable {
  /** The user and session it belongs to. It's useless after sign-out and to other users. */
  owner: string;
  table: TableState;
}

/** A search and its table state. */
export interface SavedSearch extends SavedTable {
  /** Null if there was no search and only the table changed. */
  criteria: unknown;
}

/** A user selected for a bulk action. */
export interface ChosenUser {
  id: number;
  userNm: string;
  /** The display name with the username. */
  name: string;
  groupId: number | null;
}

/** The data that one screen passes to the next, besides the address. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The screen's own search. */
    kept?: SavedSearch;
    /** The search to which the screen returns. */
    searchInfo?: SavedSearch;
    /** The table state of the screen's own list, or of the list to which it returns. */
    list?: SavedTable;
    /** The claim to search for, and the session that found it. */
    claim?: { owner: string; claimNumber: string };
    /** The screen's user, and whether they were selected in User Search. */
    user?: UserRow;
    admin?: boolean;
    /** The users selected in this visit's list, and the session. */
    marked?: { owner: string; users: ChosenUser[] };
    /** The users of a bulk change. */
    chosen?: ChosenUser[];
    /** The group with the listed users. */
    groupId?: number | null;
    /** The newly created user, to highlight in the list. */
    createdId?: number;
    /** The success message that the next screen shows. */
    message?: string;
    mode?: string;
    groupInfo?: components['schemas']['GroupInfo'] | null;
    returnPath?: string;
  }
}
