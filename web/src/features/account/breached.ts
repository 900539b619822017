/* The most common breached passwords. The server uses the same list and the same matching. */

let words: ReadonlySet<string> | null = null;

/**
 * Loads the list, which is large, when the user starts a new password. Without it only the
 * server checks.
 */
export async function loadBreached(): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  words = new Set(dictionary['passwords-common']);
}

const edgeSigns = /^[!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+|[!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+$/g;
const edgeDigitsAndSigns = /^[\d!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+|[\d!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+$/g;

const lookalikes: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};
const replaceLookalikes = (form: string) => form.replace(/[@431!0$57]/g, (sign) => lookalikes[sign] ?? sign);

// Shorter words prove nothing after trimming.
const minLength = 4;

/**
 * Reports whether a password is on the list: as typed, or after trimming symbols, or symbols and
 * digits, at both ends and replacing look-alikes with letters. Always false until the list is
 * loaded.
 */
export function isBreached(password: string): boolean {
  if (!words) return false;
  const lower = password.toLowerCase();
  const forms = [lower, lower.replace(edgeSigns, ''), lower.replace(edgeDigitsAndSigns, '')];
  return forms
    .flatMap((form) => [form, replaceLookalikes(form)])
    .some((word) => word.length >= minLength && words?.has(word));
}
