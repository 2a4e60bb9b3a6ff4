import { type CallOptions, type Client, ClientError, NotFound, RequestInvalid } from '../../client/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { untilDeadline } from '../context/until-deadline.ts';
import type { KnownPipelines } from './known-pipelines.ts';
import type { StreamingDefinition } from './read-definition.ts';

type CreateInput = Parameters<Client['streamingPipelines']['create']>[0];

export interface ApplyStreamingRequest {
  readonly definitions: readonly StreamingDefinition[];
  readonly known: KnownPipelines;
  /** Deadline of the whole call in epoch milliseconds. After it no creation is started. */
  readonly deadline?: number | undefined;
  readonly dryRun: boolean;
}

/** The result for one definition. `differs`: the pipeline exists but differs, and the API cannot change it. */
export interface AppliedStreaming {
  readonly name: string;
  readonly result: 'created' | 'unchanged' | 'differs';
  readonly id?: string;
  readonly differences: readonly string[];
}

export interface ApplyStreamingReport {
  /** `failed`: at least one existing pipeline differs. */
  readonly outcome: 'passed' | 'nothing-to-do' | 'failed';
  readonly dryRun: boolean;
  readonly pipelines: readonly AppliedStreaming[];
}

/**
 * Creates the missing streaming pipelines (spec §4.2). Existing ones are compared; the API has no call to change
 * them. The start of a creation is stored before it is sent, and its id as soon as it is known: the API cannot list
 * streaming pipelines, so they could not be found again.
 * Throws Failure 'config-invalid' at the line that the platform refuses, 'outcome-unknown' if an earlier creation, or
 * this one, may have succeeded, and what the client throws.
 */
export async function applyStreaming(
  { definitions, known: knownPipelines, deadline = Infinity, dryRun }: ApplyStreamingRequest,
  context: PlatformContext,
): Promise<ApplyStreamingReport> {
  refuseSameNames(definitions);
  const pipelines: AppliedStreaming[] = [];
  for (const definition of definitions) {
    const { name } = definition;
    const before = knownPipelines.of(context.projectId).get(name);
    if (before === undefined) {
      const id = dryRun ? undefined : await create(definition, knownPipelines, deadline, context);
      pipelines.push({ name, result: 'created', differences: [], ...(id === undefined ? {} : { id }) });
    } else if ('creating' in before) {
      throw creationOutcomeUnknown(name, before.creating);
    } else {
      pipelines.push(await compare(definition, before.id, deadline, context));
    }
  }
  const results = new Set(pipelines.map(({ result }) => result));
  return {
    outcome: results.has('differs') ? 'failed' : results.has('created') ? 'passed' : 'nothing-to-do',
    dryRun,
    pipelines,
  };
}

function refuseSameNames(definitions: readonly StreamingDefinition[]): void {
  const names = definitions.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return;
  throw new Failure('usage', {
    message: `Two files define the streaming pipeline "${twice}".`,
    where: { input: 'FILE' },
    hint: 'Give each streaming pipeline its own name.',
  });
}

async function create(
  definition: StreamingDefinition,
  knownPipelines: KnownPipelines,
  deadline: number,
  context: PlatformContext,
): Promise<string> {
  const { client, projectId, progress, clock } = context;
  const { name, fields } = definition;
  if (clock.now() >= deadline) {
    throw new Failure('no-answer', {
      message: `The time limit passed before the streaming pipeline "${name}" could be created.`,
      hint: 'Apply again with a longer --timeout. Keep streaming-ids.json (or the file of --ids): it records what was created, so that nothing is created twice.',
    });
  }
  progress.step(`Creating ${name}`);
  await knownPipelines.remember(projectId, name, { creating: new Date(clock.now()).toISOString() });
  try {
    // The definition was checked against the contract when it was read; the client checks it again.
    const input = { ...fields, projectId } as unknown as CreateInput;
    const { streamingPipelineId: id } = await client.streamingPipelines.create(
      input,
      limitsOf(deadline, context),
    );
    await knownPipelines.remember(projectId, name, { id });
    return id;
  } catch (error) {
    const mayBeCreated = error instanceof ClientError && error.isUnknown;
    if (!mayBeCreated) await knownPipelines.remember(projectId, name, undefined);
    throw error instanceof RequestInvalid ? definition.refusal(error) : error;
  }
}

async function compare(
  { name, fields }: StreamingDefinition,
  id: string,
  deadline: number,
  context: PlatformContext,
): Promise<AppliedStreaming> {
  const { client, projectId } = context;
  try {
    const existing = await client.streamingPipelines.get(
      { projectId, streamingPipelineId: id },
      limitsOf(deadline, context),
    );
    const paths = differences(fields, existing);
    return { name, id, result: paths.length === 0 ? 'unchanged' : 'differs', differences: paths };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new Failure('not-found', {
      message: `The platform does not know the streaming pipeline "${name}" with the id ${id}, which streaming-ids.json (or the file of --ids) records.`,
      hint: 'If the streaming pipeline was deleted on the platform, remove its entry from that file, and apply again. Otherwise correct the id in that file.',
      cause: error,
    });
  }
}

function limitsOf(deadline: number, context: PlatformContext): CallOptions {
  return deadline === Infinity ? { signal: context.signal } : untilDeadline(deadline, context);
}

function creationOutcomeUnknown(name: string, since: string): Failure {
  return new Failure('outcome-unknown', {
    message: `The creation of the streaming pipeline "${name}" was started at ${since}, and its outcome is unknown.`,
    hint: `Check the platform. If the pipeline exists, put its id into streaming-ids.json (or the file of --ids): "${name}": { "id": "…" }. Otherwise remove the entry "${name}" from that file, and apply again.`,
  });
}

/**
 * Paths at which two definitions differ, such as `streamingSource.connection.host`. Fields that only the second one
 * has are ignored.
 */
function differences(definition: unknown, existing: unknown, path = ''): string[] {
  if (hasMembers(definition) && hasMembers(existing)) {
    if (Array.isArray(definition) && Array.isArray(existing) && definition.length !== existing.length)
      return [path];
    return Object.entries(definition).flatMap(([name, value]) =>
      differences(value, Reflect.get(existing, name), path === '' ? name : `${path}.${name}`),
    );
  }
  return Object.is(definition, existing) ? [] : [path];
}

/** A list has members too: its items. */
function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
