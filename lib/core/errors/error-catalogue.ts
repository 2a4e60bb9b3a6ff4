import { exitCodes, type ExitCode } from '../outcomes/outcome.ts';

/** An entry of the error catalogue, from which `docs/errors.md` is generated. */
export interface ErrorEntry {
  readonly exitCode: ExitCode;
  /** The condition of the error. */
  readonly when: string;
  /** How to fix it. */
  readonly hint: string;
}

/** All errors of Millrace by their stable codes. A code is never renamed or reused, because people search for it. */
export const errorCatalogue = {
  // Usage and configuration: exit 2.
  usage: {
    exitCode: exitCodes.usage,
    when: 'The command line or an input is invalid.',
    hint: 'See the command’s `--help`, or the table of inputs in the action’s README.',
  },
  'no-token': {
    exitCode: exitCodes.usage,
    when: 'No credential for the platform is set.',
    hint: 'Set MILLRACE_TOKEN or MILLRACE_TOKEN_FILE (in an action, the input token). For client credentials, set MILLRACE_CLIENT_ID, MILLRACE_CLIENT_SECRET and MILLRACE_TOKEN_URL. For the identity of a job, set MILLRACE_IDENTITY (in an action, the input identity) and MILLRACE_TOKEN_URL. On GitHub, pull requests from forks and from Dependabot get no secrets.',
  },
  'no-base-url': {
    exitCode: exitCodes.usage,
    when: 'The address of the platform is not set.',
    hint: 'Set MILLRACE_BASE_URL (or --base-url, the input base-url), or start the local platform with `millrace platform`.',
  },
  'no-agent-version': {
    exitCode: exitCodes.usage,
    when: 'A review by the platform needs the version of the project’s runner (spec §4.5, header Agent-Version), and it is not set.',
    hint: 'Set review.agent-version in millrace.yaml (or --agent-version, the input agent-version, MILLRACE_AGENT_VERSION) to the version of your project’s runner, such as 9.0.0. The administrators of your platform know this version. `millrace review --local` reviews without the platform and does not need it.',
  },
  'no-project': {
    exitCode: exitCodes.usage,
    when: 'No project id is set.',
    hint: 'Set project in millrace.yaml (or --project, the input project, MILLRACE_PROJECT_ID).',
  },
  'config-invalid': {
    exitCode: exitCodes.usage,
    when: 'A configuration file cannot be read or has an invalid value.',
    hint: 'Fix the line that the message names. docs/schemas in the folder of Millrace, such as node_modules/millrace, has JSON Schemas for editors.',
  },
  'evidence-key-invalid': {
    exitCode: exitCodes.usage,
    when: 'The private key that signs evidence cannot be read, or it is not an Ed25519 key.',
    hint: 'Create a pair of keys with `millrace evidence keygen`, and give the whole private key: in an action as the input evidence-key, from a secret.',
  },
  'config-missing': {
    exitCode: exitCodes.usage,
    when: 'A required configuration file does not exist.',
    hint: 'Create the file or set the variable that the message names, or correct the flag or the configuration that refers to it.',
  },
  'pipeline-unreadable': {
    exitCode: exitCodes.usage,
    when: 'A pipeline file or a file that belongs to the project cannot be parsed.',
    hint: 'Fix the YAML at the line that the message names.',
  },
  'test-invalid': {
    exitCode: exitCodes.usage,
    when: 'A test file, a file that it names, or the pipeline that it tests has an error.',
    hint: 'Fix the line that the message names. docs/testing.md in the folder of Millrace, such as node_modules/millrace, describes test files.',
  },
  'sample-invalid': {
    exitCode: exitCodes.usage,
    when: 'A Parquet file or the samples.yaml of `millrace diff --given` is invalid, or does not match the pipelines that run.',
    hint: 'Export the sample again, or fix the line that the message names. docs/data-diff.md in the folder of Millrace, such as node_modules/millrace, describes samples.',
  },
  'snapshot-invalid': {
    exitCode: exitCodes.usage,
    when: 'A snapshot of pipelines cannot be read, is of another format, or is too large.',
    hint: 'Take it again with `millrace snapshot`, with the same version of Millrace that reads it.',
  },
  'no-test': {
    exitCode: exitCodes.usage,
    when: 'No test was found.',
    hint: 'Write a file whose name ends in .test.yaml, or let `millrace test --init <pipeline>` write one. docs/testing.md in the folder of Millrace, such as node_modules/millrace, shows how.',
  },
  'blob-invalid': {
    exitCode: exitCodes.usage,
    when: 'The results of the shards of tests cannot be merged: a file is damaged, missing or repeated, or the files are from different runs.',
    hint: 'Give `millrace test merge` exactly one blob of each shard, all of the same run. docs/testing.md in the folder of Millrace, such as node_modules/millrace, shows how.',
  },
  'engine-missing': {
    exitCode: exitCodes.usage,
    when: 'The optional package that runs pipelines on this machine cannot be loaded.',
    hint: 'Install it with the command that the message names.',
  },
  'version-invalid': {
    exitCode: exitCodes.usage,
    when: 'The version name has characters that an HTTP header cannot carry, or it is the reserved word `latest` (spec §4.8 rule 1).',
    hint: 'Use a name of printable characters with dots or a date, such as 1.4.0.',
  },
  'value-unsendable': {
    exitCode: exitCodes.usage,
    when: 'A value contains characters that HTTP cannot carry in a header, a path or the name of an uploaded file.',
    hint: 'Remove line breaks, control characters and letters outside Latin-1 (such as Greek letters or emoji) from the value.',
  },
  'nothing-to-publish': {
    exitCode: exitCodes.usage,
    when: 'No file or no pipeline matches the files to publish.',
    hint: 'Check files.include in millrace.yaml and the working directory, and commit the files.',
  },
  'file-refused': {
    exitCode: exitCodes.usage,
    when: 'A file cannot be part of an artifact: symbolic link, submodule, large-file pointer, archive, binary, not UTF-8, or connector file.',
    hint: 'Exclude the file with files.exclude in millrace.yaml, or replace it with a plain text file.',
  },
  'file-changed': {
    exitCode: exitCodes.usage,
    when: 'The size of a file changed during the upload.',
    hint: 'Make sure that nothing writes to the files during the upload, then try again.',
  },
  'git-failed': {
    exitCode: exitCodes.usage,
    when: 'A git command failed: not a repository, or an unknown commit.',
    hint: 'Run inside a git repository whose history contains the commit; `git init` makes one. On GitHub, check out with `fetch-depth: 0`.',
  },
  'not-allowed-here': {
    exitCode: exitCodes.usage,
    when: 'The worker’s policy does not allow the action.',
    hint: 'Change what the message names, or ask the operator of the worker to allow it in worker.yaml.',
  },
  'redis-missing': {
    exitCode: exitCodes.usage,
    when: 'No Redis could be found or started.',
    hint: 'Install redis-server or valkey-server, or set MILLRACE_REDIS_URL.',
  },
  'redis-unsuitable': {
    exitCode: exitCodes.usage,
    when: 'The Redis at MILLRACE_REDIS_URL is older than 6.2, evicts keys when its memory is full, is a replica, or does not give its user the rights that the worker needs.',
    hint: 'The message names the cause. If it is older than 6.2, upgrade it or use Valkey. If it evicts keys, set its maxmemory-policy to noeviction. If it is a replica, name its master.',
  },
  'records-newer': {
    exitCode: exitCodes.usage,
    when: 'A newer version of the worker has raised the format of the records in Redis.',
    hint: 'Start the newer version, or restore the backup of Redis from before the upgrade: docs/worker-upgrade.md in the folder of Millrace, such as node_modules/millrace.',
  },
  'state-directory': {
    exitCode: exitCodes.usage,
    when: 'The worker cannot use its state directory, in which it records the actions of operators.',
    hint: 'Make it a folder that the user of the worker can read and write (in the container: user id 1000), on a disk that survives the worker. Or remove `state-directory` from worker.yaml, and MILLRACE_STATE_DIRECTORY.',
  },
  'records-too-old': {
    exitCode: exitCodes.usage,
    when: 'An old worker wrote the records in Redis, before record formats existed, and this version cannot read them.',
    hint: 'Let the old worker finish its promotions, stop it, and start the new one on an empty Redis: docs/worker-upgrade.md in the folder of Millrace, such as node_modules/millrace.',
  },
  'request-invalid': {
    exitCode: exitCodes.usage,
    when: 'The request does not match the specification. Millrace found it before sending, or the platform answered 400.',
    hint: 'Correct the fields that the message names, and send the request again.',
  },
  unauthorized: {
    exitCode: exitCodes.usage,
    when: 'The platform answered 401: the token is wrong, expired or revoked.',
    hint: 'Set a new MILLRACE_TOKEN (input token), or check MILLRACE_CLIENT_ID and MILLRACE_CLIENT_SECRET. With MILLRACE_IDENTITY, check that the platform trusts the issuer, the subject and the audience of the ID token.',
  },
  forbidden: {
    exitCode: exitCodes.usage,
    when: 'The platform answered 403: the credential lacks the role (spec §5), or the access level in the environment (spec §2.3).',
    hint: 'Give the credential the role or the access level that the message names. If the message names none, the access level in the environment may be too low: admin is needed to publish and promote, runner to run pipelines.',
  },
  'not-found': {
    exitCode: exitCodes.usage,
    when: 'The platform answered 404: project, environment, version or pipeline is unknown.',
    hint: 'Check the name: `millrace api environments.list`, `artifacts.list` and `publishedPipelines.list` show the existing names. If these calls fail too, check the project id, and that MILLRACE_BASE_URL is the address of the platform’s API.',
  },
  // A check failed: exit 1.
  conflict: {
    exitCode: exitCodes.no,
    when: 'The platform answered 409: the name already exists.',
    hint: 'Use another name, or compare with the existing entry.',
  },
  'execution-tag-conflict': {
    exitCode: exitCodes.no,
    when: 'An execution with the same tag is still running (spec §4.4 rule 2).',
    hint: 'Wait for that execution, terminate it, or use another tag. `millrace run --on-conflict wait` (input on-conflict) waits by itself.',
  },
  'version-exists': {
    exitCode: exitCodes.no,
    when: 'The version was already published from another commit. Versions are immutable (spec §9).',
    hint: 'Publish under a new version name.',
  },
  'version-disabled': {
    exitCode: exitCodes.no,
    when: 'The version is disabled in that environment, or for the callers of its shared pipelines.',
    hint: 'Enable the version, or use another one.',
  },
  'older-version': {
    exitCode: exitCodes.no,
    when: 'A newer version is live, and the version would replace it.',
    hint: 'To go back on purpose, roll the live version back, or allow an older one with `--older allow` (in an action, the input `older`).',
  },
  'nothing-to-roll-back-to': {
    exitCode: exitCodes.no,
    when: 'There is no earlier enabled version in the environment, or of the shared pipelines.',
    hint: 'Enable an earlier version and roll back again, or publish a corrected version instead.',
  },
  // The platform or the network failed: exit 3.
  unreachable: {
    exitCode: exitCodes.remote,
    when: 'The platform could not be reached.',
    hint: 'Check MILLRACE_BASE_URL, the network and the proxy settings. If it is a local platform, check that it still runs: without --port it has another port after each start.',
  },
  'no-answer': {
    exitCode: exitCodes.remote,
    when: 'The platform did not answer in time.',
    hint: 'Try again. If it happens often, raise the time limit (--timeout, on GitHub the input timeout, where the command or action has one).',
  },
  'engine-not-installed': {
    exitCode: exitCodes.remote,
    when: 'In the action `test`, npm could not install the engine.',
    hint: 'The runner needs access to a registry of npm: check npm’s settings `registry` and `proxy` on the runner. Or install the package beforehand, and name its folder in the input `engine`.',
  },
  'answer-unreadable': {
    exitCode: exitCodes.remote,
    when: 'The answer does not match the specification (HTML, invalid JSON, missing fields).',
    hint: 'Check that MILLRACE_BASE_URL is the address of the platform’s API, not of a login page or a proxy.',
  },
  'platform-failed': {
    exitCode: exitCodes.remote,
    when: 'The platform answered with a server error.',
    hint: 'Try again later. If it persists, give the request id to the platform’s administrators.',
  },
  'rate-limited': {
    exitCode: exitCodes.remote,
    when: 'The platform answered 429: too many requests.',
    hint: 'Wait, then try again. If the message names a time, wait at least that long.',
  },
  'github-failed': {
    exitCode: exitCodes.remote,
    when: 'GitHub’s API could not be reached, or it refused the request.',
    hint: 'The message quotes GitHub’s answer and names the cause: token, permission, network, or GitHub itself. Fix that cause, then try again.',
  },
  'redis-unreachable': {
    exitCode: exitCodes.remote,
    when: 'The Redis at MILLRACE_REDIS_URL could not be reached, or refused the credentials.',
    hint: 'Check MILLRACE_REDIS_URL, the network and the password.',
  },
  'storage-failed': {
    exitCode: exitCodes.remote,
    when: 'A file could not be written: full disk, or no permission.',
    hint: 'Free space or choose another folder. No incomplete file was kept.',
  },
  'job-failed': {
    exitCode: exitCodes.remote,
    when: 'A process that `millrace test --jobs` started ended before its tests did.',
    hint: 'The machine may have too little memory for so many jobs: give --jobs a smaller number (in an action, the input jobs). With --jobs 1, no further process starts.',
  },
  // Unknown outcome: exit 4. Cancelled: exit 130.
  'outcome-unknown': {
    exitCode: exitCodes.unknown,
    when: 'The answer was lost, so it is unknown whether the call took effect.',
    hint: 'Check the platform before you repeat anything. The message names what to check.',
  },
  cancelled: {
    exitCode: exitCodes.cancelled,
    when: 'The user or the runner cancelled the operation.',
    hint: 'Run the command or the workflow again if needed.',
  },
  internal: {
    exitCode: exitCodes.remote,
    when: 'A bug in Millrace.',
    hint: 'This is a defect of Millrace, not of your project. Report it with the output of `--verbose`; in an action, with the log of a re-run with debug logging.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
