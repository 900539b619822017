import { answer, api } from './client';
import { currentSession, onSessionChange } from './session';

/* What is typed is sealed before the browser keeps it. The key is its user's: the server gives it to nobody else, for
   eight hours after that user was last active, and to nobody after sign-out. */

// Also over the end of the session: what was typed last is sealed then.
let key: Promise<CryptoKey | null> | null = null;
/** The session that it was asked for in. */
let keyFor = '';

onSessionChange((change) => {
  if (change.type === 'started') keyFor = '';
});

/** Where there is none, such as over plain http, nothing is kept. */
const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;

async function askKey(): Promise<CryptoKey | null> {
  const session = currentSession();
  if (!subtle || !session || session.mirroredUser) return null;
  const { key } = await answer(api.PUT('/session/form-key'));
  return subtle.importKey('raw', bytesOf(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** The key, asked for once in a session; null where there is none. */
export async function formKey(): Promise<CryptoKey | null> {
  const token = currentSession()?.token;
  // The next session can be another person's.
  if (token && token !== keyFor) key = null;
  if (token) keyFor = token;
  key ??= askKey().catch(() => null);
  const given = await key;
  // Asked for again, as the server may be reached by then.
  if (!given && currentSession()) key = null;
  return given;
}

const ivLength = 12;

/** A value of JSON as a text that nobody else can read; null where it cannot be sealed. */
export async function seal(value: unknown): Promise<string | null> {
  const key = await formKey();
  if (!subtle || !key) return null;
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const sealed = await subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(JSON.stringify(value)),
  );
  return textOf(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** What was sealed; null where it was for somebody else, or is over. */
export async function unseal(text: string): Promise<unknown> {
  const key = await formKey();
  if (!subtle || !key) return null;
  try {
    const sealed = bytesOf(text);
    const iv = sealed.subarray(0, ivLength);
    const opened = await subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed.subarray(ivLength));
    return JSON.parse(new TextDecoder().decode(opened));
  } catch {
    return null;
  }
}

const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const textOf = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
