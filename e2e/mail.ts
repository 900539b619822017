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
    .poll(
      () => {
        const mails = readdirSync(dir)
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .map((name) => textOf(join(dir, name)));
        text =
          mails.findLast((mail) =>
            [`\nTo: <${address}>`, `\nSubject: ${subject}\n`, words].every((part) => mail.includes(part)),
          ) ?? '';
        return text;
      },
      { message: `mail to ${address}: ${subject}`, intervals: [50] },
    )
    .not.toBe('');
  return text;
}

// Mails stay as they are: each is read once.
const texts = new Map<string, string>();

function textOf(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  // Quoted-printable: soft line breaks and the one sign that links contain.
  const text = readFileSync(file, 'utf8')
    .replaceAll('\r\n', '\n')
    .replaceAll('=\n', '')
    .replaceAll('=3D', '=');
  texts.set(file, text);
  return text;
}

/** The address that a mail asks its reader to open. */
export const linkIn = (mail: string) => /^https?:\S+[?]\S+$/m.exec(mail)?.[0] ?? '';
