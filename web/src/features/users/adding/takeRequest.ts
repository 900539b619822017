import { type ParsedLocation, redirect } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The account request that a mail asked to answer. */
    accountRequest?: number;
  }
}

/** Moves the account request of a mailed link from the address into the state of the visit. */
export function takeRequest({ location }: { location: ParsedLocation }): void {
  const search = new URLSearchParams(location.searchStr);
  if (!search.has('request')) return;
  // What is no number is an unknown request.
  const accountRequest = Number(search.get('request')) || -1;
  throw redirect({ to: location.pathname, replace: true, state: { accountRequest } });
}
