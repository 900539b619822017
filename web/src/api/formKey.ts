import { api, unwrap } from './client';
import { getSession, onSessionChange } from './session';

/*
 * Unsaved input is encrypted before the browser stores it. The server returns the key only to
 * its user, until eight hours after the user's last activity, and not after sign-out.
 */

// Outlives the session, because the last input is encrypted when it ends.
let key: Promise<CryptoKey | null> | null = null;
/** The token of the session that requested the key. */
let keyToken = '';

onSessionChange((change) => {
  if (change.type === 'started') keyToken = '';
});

/** Not available over plain HTTP, for example. Then input isn't stored. */
const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;

async function fetchKey(): Promise<CryptoKey | null> {
  const session = getSession();
  if (!subtle || !session || session.mirroredUser) return null;
  const { key } = await unwrap(api.PUT('/session/form-key'));
  return subtle.importKey('raw', toBytes(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Returns the key, requested once per session; null if there is none. */
export async function getFormKey(): Promise<CryptoKey | null> {
  const token = getSession()?.token;
  // The next session can belong to another user.
  if (token && token !== keyToken) key = null;
  if (token) keyToken = token;
  key ??= fetchKey().catch(() => null);
  const received = await key;
  // Request it again, because the server may respond by then.
  if (!received && getSession()) key = null;
  return received;
}

const ivLength = 12;

/** Encrypts a JSON value as text; null if it can't. */
export async function encryptValue(value: unknown): Promise<string | null> {
  const key = await getFormKey();
  if (!subtle || !key) return null;
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const sealed = await subtle.encrypt(
    { name: 'AES-GCM', iv },
    key,
    new TextEncoder().encode(JSON.stringify(value)),
  );
  return toText(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Decrypts a text; null if it's another user's, or expired. */
export async function decryptValue(text: string): Promise<unknown> {
  const key = await getFormKey();
  if (!subtle || !key) return null;
  try {
    const sealed = toBytes(text);
    const iv = sealed.subarray(0, ivLength);
    const opened = await subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed.subarray(ivLength));
    return JSON.parse(new TextDecoder().decode(opened));
  } catch {
    return null;
  }
}

const toBytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const toText = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
