import { exitCodes, type ExitCode } from './outcome.ts';

/** One row of the catalogue: `docs/errors.md` is generated from it. */
export interface ErrorEntry {
  readonly exitCode: ExitCode;
  /** When it happens. */
  readonly when: string;
  /** What to do about it. */
  readonly hint: string;
}

/**
 * Every error that Millrace can end in, by its stable code. A code is never renamed or used again for something
 * else: people search for it.
 */
export const errorCatalogue = {
  // Wrong use and configuration: exit 2.
  usage: {
    exitCode: exitCodes.usage,
    when: 'The command line or an input is wrong.',
    hint: 'See `--help` of the command, or the table of inputs in the action’s README.',
  },
  'no-token': {
    exitCode: exitCodes.usage,
    when: 'No credential for the platform was given.',
    hint: 'Set MILLRACE_TOKEN, or MILLRACE_CLIENT_ID, MILLRACE_CLIENT_SECRET and MILLRACE_TOKEN_URL. On GitHub: pull requests from forks and from Dependabot get no secrets.',
  },
  'no-base-url': {
    exitCode: exitCodes.usage,
    when: 'The address of the platform is not set.',
    hint: 'Set MILLRACE_BASE_URL, or start the local platform with `millrace platform`.',
  },
  'no-agent-version': {
    exitCode: exitCodes.usage,
    when: 'A review needs the runner version for the header Agent-Version (spec §4.5).',
    hint: 'Give it in one of four places: the flag --agent-version, the input agent-version, review.agent-version in millrace.yaml, or MILLRACE_AGENT_VERSION.',
  },
  'no-project': {
    exitCode: exitCodes.usage,
    when: 'No project id was given.',
    hint: 'Set project in millrace.yaml, MILLRACE_PROJECT_ID, or the flag --project.',
  },
  'config-invalid': {
    exitCode: exitCodes.usage,
    when: 'A configuration file cannot be read or has a wrong value.',
    hint: 'Mend the line that the message names; docs/schemas holds the JSON Schema for editors.',
  },
  'config-missing': {
    exitCode: exitCodes.usage,
    when: 'A configuration file that is needed is not there.',
    hint: 'Create it, or name it with its flag.',
  },
  'pipeline-unreadable': {
    exitCode: exitCodes.usage,
    when: 'A pipeline file or a file that belongs to the project cannot be parsed.',
    hint: 'Mend the YAML at the line that the message names.',
  },
  'version-invalid': {
    exitCode: exitCodes.usage,
    when: 'A version name cannot travel in a header, or is the reserved word `latest` (spec §4.8 rule 1).',
    hint: 'Use a dotted or dated name of printable characters, such as 1.4.0.',
  },
  'value-unsendable': {
    exitCode: exitCodes.usage,
    when: 'A value cannot be sent where the specification puts it (header, path or form-part name).',
    hint: 'Remove line breaks, control characters and characters outside Latin-1.',
  },
  'nothing-to-publish': {
    exitCode: exitCodes.usage,
    when: 'No file, or no pipeline, matches what is to be published.',
    hint: 'Check files.include in millrace.yaml, the working directory, and that the files are committed.',
  },
  'file-refused': {
    exitCode: exitCodes.usage,
    when: 'A file cannot be part of an artifact: symbolic link, submodule, large-file pointer, archive, binary, or connector file.',
    hint: 'Leave it out of files.include, or replace it by a plain text file.',
  },
  'file-changed': {
    exitCode: exitCodes.usage,
    when: 'A file yielded another number of bytes than it had when the upload began.',
    hint: 'Let nothing write to the files while they are uploaded, then run it again.',
  },
  'git-failed': {
    exitCode: exitCodes.usage,
    when: 'Git could not answer: not a repository, or an unknown commit.',
    hint: 'Run inside a git repository whose history holds the commit; on GitHub, check out with enough history.',
  },
  'not-allowed-here': {
    exitCode: exitCodes.usage,
    when: 'The worker’s policy does not allow it.',
    hint: 'Allow it in worker.yaml, which belongs to whoever runs the worker.',
  },
  'redis-missing': {
    exitCode: exitCodes.usage,
    when: 'No Redis could be found or started.',
    hint: 'Install redis-server or valkey-server, or set MILLRACE_REDIS_URL.',
  },
  'redis-unsuitable': {
    exitCode: exitCodes.usage,
    when: 'The Redis at MILLRACE_REDIS_URL is older than 6.2, or throws keys away when its memory is full.',
    hint: 'Upgrade it, and set its maxmemory-policy to noeviction.',
  },
  'request-invalid': {
    exitCode: exitCodes.usage,
    when: 'The request does not fit the specification, found before sending or answered with 400.',
    hint: 'Mend the fields that the message names.',
  },
  unauthorized: {
    exitCode: exitCodes.usage,
    when: 'The platform answered 401: the token is wrong, expired or revoked.',
    hint: 'Renew the token, or check client id and secret.',
  },
  forbidden: {
    exitCode: exitCodes.usage,
    when: 'The platform answered 403: the credential lacks the role (spec §5).',
    hint: 'Give the credential the role that the message names.',
  },
  'not-found': {
    exitCode: exitCodes.usage,
    when: 'The platform answered 404: project, environment, version or pipeline is unknown.',
    hint: 'Check the name: `millrace api environments.list`, `artifacts.list` and `publishedPipelines.list` show what there is. Where even the route is unknown, check MILLRACE_BASE_URL.',
  },
  // The answer is no: exit 1.
  conflict: {
    exitCode: exitCodes.no,
    when: 'The platform answered 409: the name exists already.',
    hint: 'Use another name, or compare with what is there.',
  },
  'execution-tag-conflict': {
    exitCode: exitCodes.no,
    when: 'An execution with the same tag is still running (spec §4.4 rule 2).',
    hint: 'Wait for it, terminate it, or use another tag.',
  },
  'version-exists': {
    exitCode: exitCodes.no,
    when: 'The version was already published from another commit. Versions are immutable (spec §9).',
    hint: 'Publish under a new version name.',
  },
  'version-disabled': {
    exitCode: exitCodes.no,
    when: 'The version is disabled in that environment, or for the callers of its shared pipelines.',
    hint: 'Enable it, or use another version.',
  },
  'nothing-to-roll-back-to': {
    exitCode: exitCodes.no,
    when: 'There is no earlier enabled version in the environment, or of the shared pipelines.',
    hint: 'Publish or enable a version first, then roll back.',
  },
  'timed-out': {
    exitCode: exitCodes.no,
    when: 'The execution did not end within the time limit.',
    hint: 'Raise --timeout, or look at the execution; it was terminated or left running as --on-timeout says.',
  },
  // The platform or the network failed: exit 3.
  unreachable: {
    exitCode: exitCodes.remote,
    when: 'The platform could not be reached.',
    hint: 'Check MILLRACE_BASE_URL, the network and the proxy settings.',
  },
  'no-answer': {
    exitCode: exitCodes.remote,
    when: 'The platform did not answer in time.',
    hint: 'Try again; raise the time limit if it happens often.',
  },
  'answer-unreadable': {
    exitCode: exitCodes.remote,
    when: 'The answer is not what the specification says (HTML, broken JSON, missing fields).',
    hint: 'Check that MILLRACE_BASE_URL is the platform’s API and not a login page or proxy.',
  },
  'platform-failed': {
    exitCode: exitCodes.remote,
    when: 'The platform answered with a server error.',
    hint: 'Try again later; give the request id to whoever runs the platform.',
  },
  'rate-limited': {
    exitCode: exitCodes.remote,
    when: 'The platform answered 429: too many requests.',
    hint: 'Try again after the time that the message names.',
  },
  'github-failed': {
    exitCode: exitCodes.remote,
    when: 'GitHub’s API could not be reached or refused.',
    hint: 'The message has GitHub’s own words; change what it refuses. For a token, a permission, the network or GitHub itself, the error says which of them it is.',
  },
  'redis-unreachable': {
    exitCode: exitCodes.remote,
    when: 'The Redis at MILLRACE_REDIS_URL could not be reached, or refused the credentials.',
    hint: 'Check MILLRACE_REDIS_URL, the network and the password.',
  },
  'storage-failed': {
    exitCode: exitCodes.remote,
    when: 'A file could not be written: full disk, or no permission.',
    hint: 'Free space or choose another folder; nothing half-written was kept.',
  },
  // Unknown and cancelled.
  'outcome-unknown': {
    exitCode: exitCodes.unknown,
    when: 'The answer was lost, and whether the effect took place cannot be told.',
    hint: 'Look at the platform before anything is repeated; the message says at what.',
  },
  cancelled: {
    exitCode: exitCodes.cancelled,
    when: 'The user or the runner cancelled.',
    hint: 'Run it again when wanted.',
  },
  internal: {
    exitCode: exitCodes.remote,
    when: 'A fault in Millrace itself.',
    hint: 'Report it with the output of `--verbose`.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
