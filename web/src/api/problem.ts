/** A failed request: an error from the server (status 400 and up), or no response (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly { path: string; code: string; message: string; value?: string }[] = [],
    /** The response, if it has more than a message. */
    readonly body: unknown = null,
  ) {
    super(message);
    this.name = 'Problem';
  }
}

/**
 * State that all requests share: the token, and the handlers for a rejected token, the end of a
 * mirroring, changed permissions and re-authentication. The token is only in memory.
 */
export const bearer = {
  token: '',
  reject: () => {},
  endMirror: () => {},
  forbid: () => {},
  prove: () => Promise.resolve(false),
  /** Requests wait for this while another tab mirrors. */
  covered: null as Promise<void> | null,
};

/** The error code that asks for re-authentication. */
export const reauthenticationNeeded = 'PROOF_NEEDED';

/**
 * Parses the response of a failed request. From another format (a proxy's page) it takes only
 * the status.
 */
export async function parseProblem(response: Response): Promise<Problem> {
  const body = await response.json().catch(() => null);
  return new Problem(
    response.status,
    body?.code ?? '',
    body?.message ?? response.statusText,
    body?.fields ?? [],
    body,
  );
}
