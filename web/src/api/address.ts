/**
 * Removes one-time parameters (sign-in codes, link tokens) from the address, so that neither the
 * history nor a copied address contains them. Called before the router reads the address.
 */
export function popAddressParams<Name extends string>(...names: Name[]): Partial<Record<Name, string>> {
  const url = new URL(window.location.href);
  const taken: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value === null) continue;
    taken[name] = value;
    url.searchParams.delete(name);
  }
  if (Object.keys(taken).length > 0) window.history.replaceState(window.history.state, '', url);
  return taken;
}
