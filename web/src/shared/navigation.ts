import type { components } from '@/api/schema';
import type { TableState } from '@/ui/table/state';

/** A user in the lists of administrators. */
export type UserRow = components['schemas']['UserRow'];

/** Results to a table, as the history keeps it: never in the address, and never the rows. */
export interface KeptTable {
  /** Who did it, in which session: it goes with sign-out, and nobody else's visit finds it. */
  owner: string;
  table: TableState;
}

/** A search, and what was done to its table. */
export interface KeptSearch extends KeptTable {
  /** Null where nothing was searched, and only the table changed. */
  criteria: unknown;
}

/** A user who was marked for what is done with many at once. */
export interface ChosenUser {
  id: number;
  userNm: string;
  /** For people, with the user name. */
  name: string;
  groupId: number | null;
}

/** What one screen hands to the next, beside the address. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The search of the screen itself. */
    kept?: KeptSearch;
    /** The search to which the screen returns. */
    searchInfo?: KeptSearch;
    /** Results to the list of the screen itself, or of that to which it returns. */
    list?: KeptTable;
    /** The claim to search for, and in whose session it was found. */
    claim?: { owner: string; claimNumber: string };
    /** The user whom the screen is about, and whether it was chosen under User Search. */
    user?: UserRow;
    admin?: boolean;
    /** The users who are marked in the list of this visit, and in whose session. */
    marked?: { owner: string; users: ChosenUser[] };
    /** The users who are changed at once. */
    chosen?: ChosenUser[];
    /** The group whose users are shown. */
    groupId?: number | null;
    /** The user who was just created, to be marked in the list. */
    createdId?: number;
    /** Results, for the screen that it leads to. */
    message?: string;
    mode?: string;
    groupInfo?: components['schemas']['GroupInfo'] | null;
    returnPath?: string;
  }
}
