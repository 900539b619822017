import { type ParsedLocation, redirect } from '@tanstack/react-router';

/** The parameters of an emailed link. */
export interface MailedLink {
  token: string;
  /** The expiry, in milliseconds since 1970. Reset tokens contain their own. */
  expire: string | null;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    link?: MailedLink;
  }
}

/**
 * Moves an emailed link's parameters from the address into the navigation state before the
 * screen loads. A reload finds them there, but nobody sees or copies them with the address.
 */
export function moveLinkToState({ location }: { location: ParsedLocation }): void {
  const search = new URLSearchParams(location.searchStr);
  if (!search.has('token') && !search.has('expire')) return;
  const link = { token: search.get('token') ?? '', expire: search.get('expire') };
  throw redirect({ to: location.pathname, replace: true, state: { link } });
}
