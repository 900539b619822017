import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, portalData } from './portal';

/** The text of the newest mail to an address under a subject. */
export async function mailTo(
  address: string,
  subject: string,
  { data } = { data: portalData() },
): Promise<string> {
  const dir = join(data, 'mail');
  let text = '';
  await expect
    .poll(() => {
      const mails = readdirSync(dir)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .map((name) => readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n'));
      const mail = mails.findLast(
        (mail) => mail.includes(`\nTo: <${address}>`) && mail.includes(`\nSubject: ${subject}\n`),
      );
      // Quoted-printable: soft line breaks and the one sign that links contain.
      text = mail?.replaceAll('=\n', '').replaceAll('=3D', '=') ?? '';
      return text;
    }, `mail to ${address}: ${subject}`)
    .not.toBe('');
  return text;
}

/** The address that a mail asks its reader to open. */
export const linkIn = (mail: string) => /^https?:\S+[?]\S+$/m.exec(mail)?.[0] ?? '';
