import { createSearch } from './historyState';

/** The navigation state that makes the service desk search for `q`. */
export const openInSupport = (owner: string, q: string) => ({
  searchInfo: createSearch(owner, { q }),
});
