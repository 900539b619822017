/** A call that did not succeed: refused by the server (status 400 and up) or never answered (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly { path: string; code: string; message: string; value?: string }[] = [],
    /** The answer, where it tells more than why. */
    readonly body: unknown = null,
  ) {
    super(message);
    this.name = 'Problem';
  }
}

/**
 * What every call carries, and what happens when the server no longer takes it, not before the end of the mirroring was
 * read, not with what the account can do by now, or not before it was shown who the person is. The token lives in memory only.
 */
export const bearer = {
  token: '',
  rejected: () => {},
  mirrorEnded: () => {},
  forbidden: () => {},
  prove: () => Promise.resolve(false),
  /** Until then calls wait: another tab mirrors. */
  covered: null as Promise<void> | null,
};

/** The code of a refusal that a proof of the person lifts. */
export const needsProof = 'PROOF_NEEDED';

/** Reads the answer to a failed call; what is not the server's own shape (a proxy's page) keeps only its status. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => null);
  return new Problem(
    response.status,
    body?.code ?? '',
    body?.message ?? response.statusText,
    body?.fields ?? [],
    body,
  );
}
