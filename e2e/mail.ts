import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, getPortalData } from './portal';

/**
 * The text of the newest email to an address with a subject; among similar ones, the one with
 * certain words.
 */
export async function readEmail(
  address: string,
  subject: string,
  { data = getPortalData(), words = '' }: { data?: string; words?: string } = {},
): Promise<string> {
  const dir = join(data, 'mail');
  let text = '';
  await expect
    .poll(
      () => {
        const mails = readdirSync(dir)
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .map((name) => readText(join(dir, name)));
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

// Emails don't change, so each file is read once.
const texts = new Map<string, string>();

function readText(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  // Quoted-printable: soft line breaks and the only encoded character in links.
  const text = readFileSync(file, 'utf8')
    .replaceAll('\r\n', '\n')
    .replaceAll('=\n', '')
    .replaceAll('=3D', '=');
  texts.set(file, text);
  return text;
}

/** The address that an email asks its reader to open. */
export const findLink = (mail: string) => /^https?:\S+[?]\S+$/m.exec(mail)?.[0] ?? '';
