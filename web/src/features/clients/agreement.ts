/* A session cookie which records that the user accepted the terms of the Client List. */

const agreed = 'clientListAgreement=Y';
// The account ID of the user who accepted. The next user of this browser is asked again.
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
