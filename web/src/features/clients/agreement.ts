/* That the person agreed to the terms of the Client List, as this browser remembers it while it is open. */

const cookie = 'clientListAgreement=Y';

export const hasAgreed = () => document.cookie.split('; ').includes(cookie);

export function rememberAgreement() {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = `${cookie}; path=/; secure; samesite=lax`;
}
