/* The passwords that most often were found in breaches: the same list, read alike, on the server. */

let words: ReadonlySet<string> | null = null;

/** Fetches the list, which is large: when a new password is begun, not before. Without it the server alone knows. */
export async function loadBreached(): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  words = new Set(dictionary['passwords-common']);
}

const signsAround = /^[!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+|[!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+$/g;
const around = /^[\d!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+|[\d!#$%&()*+,\-./:;<=>?@[\]^_`{|}~]+$/g;

const alike: Record<string, string> = {
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
const plain = (form: string) => form.replace(/[@431!0$57]/g, (sign) => alike[sign] ?? sign);

// A word of fewer letters proves nothing once what is around it is cut.
const least = 4;

/**
 * Whether a password is one of the list, as it is or once signs, or signs and digits, at both ends are cut and
 * look-alikes are read as letters; never before the list is there.
 */
export function isBreached(password: string): boolean {
  if (!words) return false;
  const lower = password.toLowerCase();
  const forms = [lower, lower.replace(signsAround, ''), lower.replace(around, '')];
  return forms
    .flatMap((form) => [form, plain(form)])
    .some((word) => word.length >= least && words?.has(word));
}
