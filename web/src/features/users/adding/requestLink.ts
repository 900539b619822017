import { type ParsedLocation, redirect } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The account request that an email links to. */
    accountRequest?: number;
    /** The request was opened from the queue, so the next one follows it. */
    fromQueue?: boolean;
  }
}

/** Moves an emailed link's account request from the address into the navigation state. */
export function moveRequestToState({ location }: { location: ParsedLocation }): void {
  const search = new URLSearchParams(location.searchStr);
  if (!search.has('request')) return;
  // Anything but a number is an unknown request.
  const accountRequest = Number(search.get('request')) || -1;
  throw redirect({ to: location.pathname, replace: true, state: { accountRequest } });
}
