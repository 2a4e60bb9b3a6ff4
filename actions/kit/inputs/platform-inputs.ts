import { identityWays } from '../../../lib/config/environment/workload-identity.ts';
import { optionalChoice, secret, text, textOr } from './input-field.ts';

/** The inputs of every action: address of the platform, credential, project. */
export const platformInputs = {
  'base-url': text('Address of the platform. Default: `MILLRACE_BASE_URL`.'),
  token: secret(
    'Access token for the platform. Default: `MILLRACE_TOKEN`. Give this token, the client credentials or `identity`.',
  ),
  identity: optionalChoice(
    identityWays,
    'Use the OIDC identity of the job in place of a secret, and exchange it at `token-url`. Needs a platform that trusts GitHub, and the permission `id-token: write`. Default: `MILLRACE_IDENTITY`.',
  ),
  'id-token-audience': text(
    'Audience of the OIDC token of `identity`. Default: `MILLRACE_ID_TOKEN_AUDIENCE`, then `token-url`.',
  ),
  'client-id': text(
    'Client id of the client credentials, or of `identity` if the issuer needs one. Default: `MILLRACE_CLIENT_ID`.',
  ),
  'client-secret': secret('Client secret of the client credentials. Default: `MILLRACE_CLIENT_SECRET`.'),
  'token-url': text(
    'Token endpoint of the client credentials or of `identity`. Default: `MILLRACE_TOKEN_URL`.',
  ),
  audience: text(
    'Audience of the access token, if the token endpoint needs one. Default: `MILLRACE_AUDIENCE`.',
  ),
  project: text(
    'Id of the project on the platform. Default: `MILLRACE_PROJECT_ID`, then `project` in millrace.yaml.',
  ),
  'working-directory': textOr(
    '.',
    'Folder of the project (the folder with millrace.yaml), relative to the root of the repository.',
  ),
};

/** Outputs of every action. */
export const commonOutputs = {
  outcome:
    'Outcome: `passed`, `failed`, `nothing-to-do`, `skipped-fork`, `superseded`, `already-done`, `cancelled`, `indeterminate` or `error`.',
  'summary-path': 'Path of the job summary, in Markdown.',
  'report-path': 'Path of the full report, in JSON.',
};

export const manifestOutput =
  'Path of the list of sent files with size and SHA-256, in JSON. Empty if the version already existed.';
