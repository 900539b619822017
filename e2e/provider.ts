import { createServer, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { findFreePort } from './start';

export interface OpenIdProvider {
  issuer: string;
  client: { id: string; secret: string };
  stop: () => Promise<void>;
}

/**
 * A certified OpenID provider on localhost, with another host name than its portals. It accepts
 * any login and uses it as the subject and the preferred username. It notifies its portals when
 * its session ends.
 */
export async function startProvider(...portalUrls: string[]): Promise<OpenIdProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const client = { id: 'portal', secret: 'a secret between provider and portal' };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: portalUrls.map((url) => `${url}/wcpp/login`),
        post_logout_redirect_uris: portalUrls.map((url) => `${url}/wcpp/login`),
        backchannel_logout_uri: `${portalUrls[0]}/sso/backchannel-logout`,
        backchannel_logout_session_required: true,
        application_type: 'web',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['preferred_username'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id }),
    }),
    // Its default fetch can't reach this machine.
    fetch: (url: string, { dispatcher: _, ...request }: RequestInit & { dispatcher: unknown }) =>
      globalThis.fetch(url, request),
    cookies: { keys: ['signs the cookies of a test'] },
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
  });
  const server: Server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    client,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
