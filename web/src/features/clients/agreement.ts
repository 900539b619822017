/* That a person agreed to the terms of the Client List, as this browser remembers it while it is open. */

const agreed = 'clientListAgreement=Y';
// Whose agreement that is, by the number of the account: the next person at this browser is asked anew.
const by = 'clientListAgreementBy=';

export function hasAgreed(user: number): boolean {
  const cookies = document.cookie.split('; ');
  const who = cookies.find((cookie) => cookie.startsWith(by));
  return cookies.includes(agreed) && (who === undefined || who === by + user);
}

export function rememberAgreement(user: number): void {
  for (const cookie of [agreed, by + user]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
    document.cookie = `${cookie}; path=/; secure; samesite=lax`;
  }
}
