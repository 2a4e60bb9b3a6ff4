import type { Auth, WorkloadIdentity } from '../interface/client-options.ts';
import type { TokenGrant } from './token-request.ts';

type ClientCredentials = Extract<Auth, { readonly clientSecret: string }>;

/** The client-credentials exchange of OAuth 2.0 (unknowns §1). */
export function credentialsGrant({
  clientId,
  clientSecret,
  tokenUrl,
  audience,
}: ClientCredentials): TokenGrant {
  return {
    tokenUrl,
    what: 'client credentials',
    form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, audience },
  };
}

/** The exchange of an ID token: RFC 8693 §2.1, or RFC 7523 §2.2. Neither is in the specification. */
export function identityGrant(
  { identity, tokenUrl, clientId, audience }: WorkloadIdentity,
  idToken: string,
): TokenGrant {
  const common = { client_id: clientId, audience };
  return {
    tokenUrl,
    what: 'ID token',
    form:
      identity === 'token-exchange'
        ? {
            grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
            subject_token: idToken,
            subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
            requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            ...common,
          }
        : {
            grant_type: 'client_credentials',
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: idToken,
            ...common,
          },
  };
}
