import { z } from 'zod';
import { type Answer, notFound, ok, Refusal } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';
import { checkAccess } from '../routes/route.ts';
import { checkRoutes } from '../routes/checks.ts';
import { deploymentRoutes } from '../routes/deployments.ts';
import { findRepository } from '../state/find-repository.ts';
import type { Repository, State, TokenGrant } from '../state/state.ts';
import {
  createCheckRunInput,
  createDeploymentStatusInput,
  mutationTypes,
  updateCheckRunInput,
} from './mutation-types.ts';
import { parseMutation, type ParsedDocument, type ParsedMutation, SyntaxRefusal } from './parse-mutation.ts';

const asked = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).default({}) });

export interface MutationContext {
  readonly state: State;
  readonly grant: TokenGrant;
  readonly url: string;
  readonly apiUrl: string;
}

/** Whether a request to the GraphQL API contains a mutation. */
export const isMutation = ({ path, body }: Pick<Request, 'path' | 'body'>): boolean =>
  path === '/graphql' && /^\s*mutation\b/u.test(asked.safeParse(body).data?.query ?? '');

/** The names of the mutations in a request; empty if it has none, or cannot be parsed. */
export function mutationsIn({ path, body }: Pick<Request, 'path' | 'body'>): readonly string[] {
  if (!isMutation({ path, body })) return [];
  try {
    return parseMutation(asked.parse(body).query).mutations.map(({ name }) => name);
  } catch {
    return [];
  }
}

/**
 * Answers a document of mutations as GitHub does. A document that does not fit the schema is refused as a whole, without
 * `data`. Otherwise the mutations are carried out in order, and a failure is an error beside the data of the others.
 */
export async function answerMutation(request: Request, context: MutationContext): Promise<Answer> {
  const { query, variables } = asked.parse(request.body);
  let document: ParsedDocument;
  try {
    document = parseMutation(query);
  } catch (error) {
    if (!(error instanceof SyntaxRefusal)) throw error;
    return ok({ errors: [{ message: error.message, extensions: { code: 'parse_error' } }] });
  }
  const faults = faultsIn(document, variables, request.headers.accept ?? '');
  if (faults.length > 0) return ok({ errors: faults });
  const data: Record<string, unknown> = {};
  const errors: object[] = [];
  for (const mutation of document.mutations) {
    try {
      data[mutation.alias] = await carryOut(mutation, variables[mutation.variable], context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      data[mutation.alias] = null;
      const type = { 403: 'FORBIDDEN', 404: 'NOT_FOUND', 422: 'UNPROCESSABLE' }[error.status];
      errors.push({ type, path: [mutation.alias], message: error.message });
    }
  }
  return ok({ data, ...(errors.length === 0 ? {} : { errors }) });
}

/** The errors for what does not fit the schema, in GitHub's form. */
function faultsIn(
  { variables, mutations }: ParsedDocument,
  values: Readonly<Record<string, unknown>>,
  accept: string,
): readonly object[] {
  const used = new Set(mutations.map(({ variable }) => variable));
  const aliases = new Set(mutations.map(({ alias }) => alias));
  return [
    ...(aliases.size === mutations.length ? [] : [fault('fieldConflict', 'Two fields have one alias')]),
    ...[...variables.keys()]
      .filter((name) => !used.has(name))
      .map((name) => fault('variableNotUsed', `Variable $${name} is declared by Mutation but not used`)),
    ...mutations.flatMap((mutation) => faultsOf(mutation, variables.get(mutation.variable), values, accept)),
  ];
}

function faultsOf(
  { name, variable, selected }: ParsedMutation,
  declared: string | undefined,
  values: Readonly<Record<string, unknown>>,
  accept: string,
): readonly object[] {
  const type = mutationTypes[name];
  if (type === undefined || (type.preview !== undefined && !accept.includes(type.preview)))
    return [fault('undefinedField', `Field '${name}' doesn't exist on type 'Mutation'`)];
  if (declared === undefined)
    return [fault('variableNotDefined', `Variable $${variable} is used by Mutation but not declared`)];
  if (declared !== type.input)
    return [fault('variableMismatch', `Type mismatch on variable $${variable} and argument input`)];
  const unknown = selected.filter((field) => !type.fields.includes(field));
  const value = type.schema.safeParse(values[variable]);
  const problems = value.error?.issues.map(({ path, message }) => ({ path, explanation: message })) ?? [];
  const invalid = `Variable $${variable} of type ${type.input} was provided invalid value`;
  return [
    ...unknown.map((field) => fault('undefinedField', `Field '${field}' doesn't exist`)),
    ...(problems.length === 0 ? [] : [{ message: invalid, extensions: { problems } }]),
  ];
}

const fault = (code: string, message: string): object => ({ message, extensions: { code } });

async function carryOut(mutation: ParsedMutation, input: unknown, context: MutationContext): Promise<object> {
  const permission = mutationTypes[mutation.name]?.permission ?? 'metadata';
  checkAccess({ needs: [[permission, 'write']] }, context.grant);
  switch (mutation.name) {
    case 'createCheckRun': {
      const { repositoryId, headSha, name, ...rest } = createCheckRunInput.parse(input);
      const repository = repositoryOf(repositoryId, context);
      const body = { ...checkBody(rest), name, head_sha: headSha };
      await handle(checkRoutes, 'POST /check-runs', { repository, body, context });
      return { checkRun: { id: `CR_${repository.checkRuns.at(-1)?.id}` } };
    }
    case 'updateCheckRun': {
      const { repositoryId, checkRunId, name, ...rest } = updateCheckRunInput.parse(input);
      const repository = repositoryOf(repositoryId, context);
      const body = { ...checkBody(rest), ...(name ? { name } : {}) };
      const params = { id: numberIn(checkRunId, 'CR_') };
      await handle(checkRoutes, 'PATCH /check-runs/:id', { repository, body, context, params });
      return { checkRun: { id: checkRunId } };
    }
    default: {
      const status = createDeploymentStatusInput.parse(input);
      const id = numberIn(status.deploymentId, 'DE_');
      const repository = [...context.state.repositories.values()].find(({ deployments }) =>
        deployments.some((entry) => String(entry.id) === id),
      );
      const isShown = repository !== undefined && context.grant.only?.includes(repository.id) !== false;
      if (!isShown) throw unresolved(status.deploymentId);
      const body = {
        state: status.state.toLowerCase(),
        description: status.description,
        auto_inactive: status.autoInactive,
        ...(status.logUrl === '' ? {} : { log_url: status.logUrl }),
        ...(status.environmentUrl === '' ? {} : { environment_url: status.environmentUrl }),
      };
      const place = 'POST /deployments/:id/statuses';
      await handle(deploymentRoutes, place, { repository, body, context, params: { id } });
      const deployment = repository.deployments.find((entry) => String(entry.id) === id);
      return { deploymentStatus: { id: `DES_${deployment?.statuses.at(-1)?.id}` } };
    }
  }
}

type CheckFields = Omit<z.infer<typeof updateCheckRunInput>, 'repositoryId' | 'checkRunId' | 'name'>;

/** The input in the form of the REST API: both APIs write the same, and refuse the same. */
function checkBody(input: CheckFields): object {
  const { actions, completedAt, conclusion, detailsUrl, externalId, output, startedAt, status } = input;
  const fields = {
    actions,
    completed_at: completedAt,
    conclusion: conclusion?.toLowerCase(),
    details_url: detailsUrl,
    external_id: externalId,
    output: output && { ...output, text: output.text ?? undefined },
    started_at: startedAt,
    status: status?.toLowerCase(),
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

interface Handled {
  readonly repository: Repository;
  readonly body: object;
  readonly context: MutationContext;
  readonly params?: Readonly<Record<string, string>>;
}

async function handle(
  routes: typeof checkRoutes,
  place: string,
  { repository, body, context, params = {} }: Handled,
): Promise<void> {
  const route = routes.find(({ method, path }) => `${method} ${path}` === place);
  if (route === undefined) throw notFound();
  await route.handle({ ...context, repository, params, query: new URLSearchParams(), body, accept: '' });
}

function repositoryOf(node: string, { state, grant }: MutationContext): Repository {
  const repository = findRepository(state, numberIn(node, 'R_'));
  if (repository === undefined || grant.only?.includes(repository.id) === false) throw unresolved(node);
  return repository;
}

const unresolved = (node: string): Refusal =>
  new Refusal(404, `Could not resolve to a node with the global id of '${node}'`);

function numberIn(node: string, prefix: string): string {
  if (!node.startsWith(prefix)) throw unresolved(node);
  return node.slice(prefix.length);
}
