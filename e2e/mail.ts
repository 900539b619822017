import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, portalData } from './portal';

/** The text of the newest mail to an address under a subject; of many alike, of one that has some words. */
export async function mailTo(
  address: string,
  subject: string,
  { data = portalData(), words = '' }: { data?: string; words?: string } = {},
): Promise<string> {
  const dir = join(data, 'mail');
  let text = '';
  await expect
    .poll(() => {
      const mails = readdirSync(dir)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .map((name) => readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n'))
        // Quoted-printable: soft line breaks and the one sign that links contain.
        .map((mail) => mail.replaceAll('=\n', '').replaceAll('=3D', '='));
      text =
        mails.findLast((mail) =>
          [`\nTo: <${address}>`, `\nSubject: ${subject}\n`, words].every((part) => mail.includes(part)),
        ) ?? '';
      return text;
    }, `mail to ${address}: ${subject}`)
    .not.toBe('');
  return text;
}

/** The address that a mail asks its reader to open. */
export const linkIn = (mail: string) => /^https?:\S+[?]\S+$/m.exec(mail)?.[0] ?? '';
