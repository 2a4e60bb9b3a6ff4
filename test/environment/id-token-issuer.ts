import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** What a request for an ID token asks. */
export interface IdTokenRequest {
  readonly audience: string;
  readonly authorization: string;
}

/** An issuer of ID tokens that answers like the one of GitHub’s runners. */
export interface IdTokenIssuer extends AsyncDisposable {
  readonly issuer: string;
  readonly subject: string;
  /** For `issuers` of a seed. */
  readonly keys: { kty: string }[];
  /** The variables of a job with the permission `id-token: write`. */
  readonly variables: Record<'ACTIONS_ID_TOKEN_REQUEST_URL' | 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', string>;
  readonly requests: readonly IdTokenRequest[];
  /** Every ID token that it gave. */
  readonly issued: readonly string[];
  sign(claims: { aud?: string; sub?: string; iss?: string; exp?: number }): Promise<string>;
  /** Answers with this status in place of a token. */
  refuse(status: number | undefined): void;
}

export async function startIdTokenIssuer(): Promise<IdTokenIssuer> {
  const issuer = 'https://ci.example.com';
  const subject = 'repo:demo/warehouse:ref:refs/heads/main';
  const requestToken = 'request-token-of-the-job';
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' };
  const requests: IdTokenRequest[] = [];
  const issued: string[] = [];
  let refusal: number | undefined;
  const sign: IdTokenIssuer['sign'] = async ({ aud = '', sub = subject, iss = issuer, exp }) =>
    new SignJWT({ jti: String(issued.length) })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(iss)
      .setSubject(sub)
      .setAudience(aud)
      .setIssuedAt()
      .setExpirationTime(exp ?? '5m')
      .sign(privateKey);
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://issuer');
    const audience = searchParams.get('audience') ?? '';
    requests.push({ audience, authorization: request.headers.authorization ?? '' });
    void (async () => {
      if (refusal !== undefined || searchParams.get('api-version') !== '2.0') {
        response.writeHead(refusal ?? 400).end('{}');
        return;
      }
      const value = await sign({ aud: audience });
      issued.push(value);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ count: 1, value }));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    issuer,
    subject,
    keys: [{ ...jwk, kty: 'RSA' }],
    variables: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${String(port)}/idtoken?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken,
    },
    requests,
    issued,
    sign,
    refuse: (status) => (refusal = status),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
