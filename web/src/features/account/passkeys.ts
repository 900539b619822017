/** Whether this browser can make passkeys as they are asked for. */
export const makesPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** No passkey was made: the person stopped it, or the device would not. */
export class NoPasskey extends Error {}

/** Has the person's device make a passkey. Answers, as JSON, what the server checks. */
export async function makePasskey(options: unknown): Promise<string> {
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
