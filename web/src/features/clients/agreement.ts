/* A session cookie which records that the user accepted the terms of the Client List. */

const agreedCookie = 'clientListAgreement=Y';
// The account ID of the user who accepted. The next user of this browser is asked again.
const userCookie = 'clientListAgreementBy=';

export function hasAgreed(user: number): boolean {
  const cookies = document.cookie.split('; ');
  const agreedBy = cookies.find((cookie) => cookie.startsWith(userCookie));
  return cookies.includes(agreedCookie) && (agreedBy === undefined || agreedBy === userCookie + user);
}

export function rememberAgreement(user: number): void {
  for (const cookie of [agreedCookie, userCookie + user]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
    document.cookie = `${cookie}; path=/; secure; samesite=lax`;
  }
}
