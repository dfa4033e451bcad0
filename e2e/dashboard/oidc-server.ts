import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';

/** A small OpenID Connect provider: every visitor is the person that the test names. */
export type OidcServer = {
  person: { email: string; email_verified: boolean };
  close(): Promise<void>;
};

type Grant = { nonce: string; challenge: string };

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts it; the gateway under test knows its port. */
export async function startOidcServer(port: number, clientId: string): Promise<OidcServer> {
  const issuer = `http://localhost:${port}`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const state: OidcServer = {
    person: { email: 'nobody@example.com', email_verified: true },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const idToken = (nonce: string): string => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, sub: state.person.email, aud: clientId, nonce, ...state.person };
    const body = [
      base64url({ alg: 'RS256', kid: 'one' }),
      base64url({ ...claims, iat: seconds, exp: seconds + 60 }),
    ].join('.');
    return `${body}.${sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64url')}`;
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        subject_types_supported: ['public'],
      });
    }
    if (url.pathname === '/jwks') {
      const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
      return json(response, { keys: [key] });
    }
    if (url.pathname === '/authorize') {
      const ask = (name: string) => url.searchParams.get(name) ?? '';
      const code = crypto.randomUUID();
      grants.set(code, { nonce: ask('nonce'), challenge: ask('code_challenge') });
      const back = new URL(ask('redirect_uri'));
      back.searchParams.set('code', code);
      back.searchParams.set('state', ask('state'));
      return response.writeHead(302, { location: back.href }).end();
    }
    let text = '';
    for await (const piece of request) text += piece;
    const form = new URLSearchParams(text);
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isProved = grant?.challenge === createHash('sha256').update(verifier).digest('base64url');
    if (!grant || !isProved) return response.writeHead(400).end('{"error":"invalid_grant"}');
    return json(response, {
      access_token: 'opaque',
      token_type: 'Bearer',
      id_token: idToken(grant.nonce),
    });
  });
  await new Promise<void>((resolve) => server.listen(port, () => resolve()));
  return state;
}
