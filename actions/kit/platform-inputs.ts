import { secret, text, textOr } from './input-field.ts';

/** Inputs of every action: where the platform is, who we are, which project. */
export const platformInputs = {
  'base-url': text('Address of the platform. Else `MILLRACE_BASE_URL`.'),
  token: secret(
    'Access token for the platform. Else `MILLRACE_TOKEN`. Give either this or the three of the client credentials.',
  ),
  'client-id': text('Client credentials: the id. Else `MILLRACE_CLIENT_ID`.'),
  'client-secret': secret('Client credentials: the secret. Else `MILLRACE_CLIENT_SECRET`.'),
  'token-url': text('Client credentials: where a token is issued. Else `MILLRACE_TOKEN_URL`.'),
  audience: text('Client credentials: the audience, where the issuer wants one. Else `MILLRACE_AUDIENCE`.'),
  project: text(
    'Id of the project on the platform. Else `MILLRACE_PROJECT_ID`, else `project` in millrace.yaml.',
  ),
  'working-directory': textOr(
    '.',
    'Folder of the project, the one that holds millrace.yaml, relative to the repository.',
  ),
};

/** Outputs of every action. */
export const commonOutputs = {
  outcome:
    'How it ended: `passed`, `failed`, `nothing-to-do`, `skipped-fork`, `superseded`, `already-done`, `cancelled`, `indeterminate` or `error`.',
  'summary-path': 'File with the job summary, in Markdown.',
  'report-path': 'File with everything that is known, in JSON.',
};

export const manifestOutput =
  'File with path, size and SHA-256 of every part that was sent, in JSON; empty where the version was there already.';
