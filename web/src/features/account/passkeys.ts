/** Reports whether this browser supports passkeys with our options. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Thrown if the user canceled or the device refused. */
export class NoPasskey extends Error {}

/** Creates a passkey on the user's device. Returns the JSON that the server verifies. */
export async function createPasskey(options: unknown): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    return JSON.stringify(await navigator.credentials.create({ publicKey }));
  } catch (error) {
    const known = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new NoPasskey(
      known
        ? 'Error: This device already has a passkey for your account.'
        : "Error: Couldn't create a passkey. Try again.",
    );
  }
}
