import { z } from 'zod';
import { Failure } from '../../core/errors/failure.ts';
import type { NewCheck } from '../endpoints/checks.ts';
import type { CheckContent } from '../endpoints/check-content.ts';
import type { DeploymentStatus } from '../endpoints/deployments.ts';
import type { AccountPermissions } from '../access/github-access.ts';
import type { GitHubCaller } from '../access/github-caller.ts';
import { githubFailure } from '../access/github-failure.ts';
import { checkInput, newCheckInput, statusInput } from './mutation-inputs.ts';
import { notFromGitHub } from '../access/read-answer.ts';
import type { Repositories } from '../endpoints/repositories.ts';

/**
 * A write that GitHub's GraphQL API can carry out together with others. `repository`: its id. `node`: the global id of the
 * check run or deployment, `node_id` in the answers of the REST API.
 *
 * The API has no mutation for a commit status, and no mutation that deploys a commit: `createDeployment` takes a branch or
 * tag, which may point to another commit by then.
 */
export type BatchedWrite = { readonly repository: number } & (
  | { readonly kind: 'create-check'; readonly check: NewCheck }
  | { readonly kind: 'update-check'; readonly node: string; readonly content: CheckContent }
  | { readonly kind: 'deployment-status'; readonly node: string; readonly status: DeploymentStatus }
);

/** The result of a write. `refused`: it had no effect. `unknown`: it is not known whether it had an effect. */
export type BatchedAnswer =
  | { readonly status: 'done'; readonly node: string }
  | { readonly status: 'refused' | 'unknown'; readonly failure: Failure };

/** Several writes with one request, through GitHub's GraphQL API. */
export interface WriteBatches {
  /**
   * Carries out writes of one account in their order. If GitHub refuses one of them, the others are still carried out.
   * Throws Failure 'github-failed' if the whole request failed: with `refused`, no write had an effect; otherwise it is
   * unknown whether any had.
   */
  writeTogether(writes: readonly BatchedWrite[]): Promise<readonly BatchedAnswer[]>;
}

const kinds = {
  'create-check': { mutation: 'createCheckRun', answer: 'checkRun', permission: 'checks' },
  'update-check': { mutation: 'updateCheckRun', answer: 'checkRun', permission: 'checks' },
  'deployment-status': {
    mutation: 'createDeploymentStatus',
    answer: 'deploymentStatus',
    permission: 'deployments',
  },
} as const;

export function createWriteBatches(
  github: GitHubCaller,
  { repository, now }: Pick<Repositories, 'repository'> & { readonly now: () => number },
): WriteBatches {
  const nodes = new Map<number, Promise<string>>();

  async function readNode(id: number): Promise<string> {
    const { node } = await repository(id);
    if (node !== undefined) return node;
    throw githubFailure(notFromGitHub(), {
      operation: `read the global id of repository ${id}`,
      now: now(),
      redact: ownWords,
    });
  }

  /** Read once: the global id of a repository does not change. */
  async function nodeOf(id: number): Promise<string> {
    const node = nodes.get(id) ?? readNode(id);
    nodes.set(id, node);
    node.catch(() => nodes.delete(id));
    return node;
  }

  async function inputOf(write: BatchedWrite): Promise<object> {
    if (write.kind === 'deployment-status') return { deploymentId: write.node, ...statusInput(write.status) };
    const repositoryId = await nodeOf(write.repository);
    return write.kind === 'create-check'
      ? { repositoryId, ...newCheckInput(write.check) }
      : { repositoryId, checkRunId: write.node, ...checkInput(write.content) };
  }

  /** A write with its input, or a Failure if the input cannot be read: the other writes do not depend on it. */
  async function prepare(write: BatchedWrite, index: number): Promise<Prepared | Failure> {
    try {
      return { write, name: String(index), input: await inputOf(write) };
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  async function sendAll(prepared: readonly Prepared[]): Promise<Answered> {
    const operation = `carry out ${prepared.length} writes together`;
    const [first] = prepared;
    if (first === undefined) return { data: {}, errors: [], operation, now: now() };
    const about = first.write.repository;
    const isOne = prepared.every(({ write }) => write.repository === about);
    const variables = Object.fromEntries(prepared.map(({ name, input }) => [`i${name}`, input]));
    const answer = await github.call(
      { operation, repository: about, ...(isOne ? {} : { as: permissionsFor(prepared) }) },
      answerSchema,
      async ({ octokit, redact }) => ({
        data: redacted(await send(octokit, documentFor(prepared), variables), redact),
      }),
    );
    return { ...answer, operation, now: now() };
  }

  return {
    async writeTogether(writes) {
      const prepared = await Promise.all(writes.map(prepare));
      const answered = await sendAll(prepared.flatMap((item) => (item instanceof Failure ? [] : [item])));
      return prepared.map((item) =>
        item instanceof Failure ? { status: 'refused', failure: item } : readWrite(item, answered),
      );
    },
  };
}

interface Prepared {
  readonly write: BatchedWrite;
  /** The name of its field and of its variable. */
  readonly name: string;
  readonly input: object;
}

function permissionsFor(prepared: readonly Prepared[]): AccountPermissions {
  return Object.fromEntries(prepared.map(({ write }) => [kinds[write.kind].permission, 'write']));
}

/** The document of the request. It depends only on the kinds of writes: the values are variables, never a part of the text. */
function documentFor(prepared: readonly Prepared[]): string {
  const inputType = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const declared = prepared.map(({ write, name }) => `$i${name}: ${inputType(kinds[write.kind].mutation)}`);
  const fields = prepared.map(({ write, name }) => {
    const { mutation, answer } = kinds[write.kind];
    return `  w${name}: ${mutation}(input: $i${name}) { ${answer} { id } }`;
  });
  return `mutation Writes(${declared.join(', ')}) {\n${fields.join('\n')}\n}`;
}

const errorSchema = z.object({
  type: z.string().optional(),
  message: z.string().default('no message'),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
});
type AnsweredError = z.infer<typeof errorSchema>;

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()),
  errors: z.array(errorSchema).default([]),
});

/** What octokit throws if an answer has errors. */
const answeredErrors = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(errorSchema).min(1),
  headers: z.record(z.string(), z.unknown()).default({}),
});

interface GraphQL {
  graphql(document: string, variables: Record<string, unknown>): Promise<unknown>;
}

/** GitHub Enterprise Server knows mutations of deployments only with this preview; github.com ignores it. */
const mediaType = { previews: ['flash'] };

/** The answer with redacted messages, because they become failures of single writes, which do not know the token. */
function redacted(answer: FieldAnswers, redact: (text: string) => string): FieldAnswers {
  const { data, errors } = answer;
  return errors === undefined
    ? answer
    : { data, errors: errors.map((error) => ({ ...error, message: redact(error.message) })) };
}

/** For texts that are not from GitHub, or that are redacted already. */
const ownWords = (text: string): string => text;

interface FieldAnswers {
  readonly data: unknown;
  readonly errors?: readonly AnsweredError[];
}

/** Sends a document. Returns GitHub's answers to its fields. Throws if GitHub answered only to the whole document. */
async function send({ graphql }: GraphQL, document: string, variables: object): Promise<FieldAnswers> {
  try {
    return { data: await graphql(document, { ...variables, mediaType }) };
  } catch (error) {
    const parsed = answeredErrors.safeParse(error).data;
    if (parsed === undefined) throw error;
    const { data, errors, headers } = parsed;
    if (data !== undefined && data !== null) return { data, errors };
    // GitHub answers with the status 200 here. This status says what the errors mean.
    const status = errors.some(isLimit) ? 429 : errors.every(isRefusal) ? 400 : 502;
    throw Object.assign(new Error(errors.map(({ message }) => message).join('; ')), {
      response: { status, headers },
      cause: error,
    });
  }
}

/** The statuses of the REST API for GitHub's types of errors; another type says nothing about the effect. */
const statusOf: Readonly<Record<string, number>> = { FORBIDDEN: 403, NOT_FOUND: 404, UNPROCESSABLE: 422 };

/** GitHub reports a limit for writes with these words, sometimes with a type that means something else. */
const isLimit = ({ type, message }: AnsweredError): boolean =>
  type === 'RATE_LIMITED' || /rate limit|submitted too quickly|abuse/iu.test(message);

/** The document does not fit the schema, or the token lacks a permission for it. In both cases nothing was carried out. */
const isRefusal = ({ type, extensions }: AnsweredError): boolean =>
  extensions?.['code'] !== undefined ||
  extensions?.['problems'] !== undefined ||
  (type !== undefined && type in statusOf);

interface Answered extends z.infer<typeof answerSchema> {
  readonly operation: string;
  readonly now: number;
}

/** The answer to one write. */
function readWrite({ write, name }: Prepared, { data, errors, operation, now }: Answered): BatchedAnswer {
  const { answer, permission } = kinds[write.kind];
  const alias = `w${name}`;
  const done = z.object({ [answer]: z.object({ id: z.string().min(1) }) }).safeParse(data[alias]).data;
  const node = done?.[answer]?.id;
  if (node !== undefined) return { status: 'done', node };
  const context = { operation, permission: `${permission}: write`, now, redact: ownWords } as const;
  const error = errors.find(({ path }) => path?.[0] === alias);
  if (error === undefined) return { status: 'unknown', failure: githubFailure(notFromGitHub(), context) };
  const status = isLimit(error) ? 429 : statusOf[error.type ?? ''];
  const response = { status: status ?? 502, headers: {} };
  const failure = githubFailure(Object.assign(new Error(error.message), { response }), context);
  return { status: status === undefined ? 'unknown' : 'refused', failure };
}
