import { type ParsedLocation, redirect } from '@tanstack/react-router';

/** What a mailed link carries. */
export interface MailedLink {
  token: string;
  /** When it ends, in milliseconds since 1970; reset tokens tell it themselves. */
  expire: string | null;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    link?: MailedLink;
  }
}

/**
 * Moves what a mailed link carries from the address into the state of the visit, before the screen loads: there a
 * reload finds it, and nobody who sees or copies the address.
 */
export function takeLink({ location }: { location: ParsedLocation }): void {
  const search = new URLSearchParams(location.searchStr);
  if (!search.has('token') && !search.has('expire')) return;
  const link = { token: search.get('token') ?? '', expire: search.get('expire') };
  throw redirect({ to: location.pathname, replace: true, state: { link } });
}
