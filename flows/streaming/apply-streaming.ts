import { type CallOptions, type Client, ClientError, NotFound, RequestInvalid } from '../../client/index.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { untilDeadline } from '../context/until-deadline.ts';
import { differences } from './differences.ts';
import type { KnownPipelines } from './known-pipelines.ts';
import type { StreamingDefinition } from './read-definition.ts';

type CreateInput = Parameters<Client['streamingPipelines']['create']>[0];

export interface ApplyStreamingRequest {
  readonly definitions: readonly StreamingDefinition[];
  readonly known: KnownPipelines;
  /** For all of it, in epoch milliseconds: a creation that could not be answered in time is not begun. */
  readonly deadline?: number | undefined;
  readonly dryRun: boolean;
}

/** What became of one definition. `differs`: it is there and other, and the API cannot change it. */
export interface AppliedStreaming {
  readonly name: string;
  readonly did: 'created' | 'unchanged' | 'differs';
  readonly id?: string;
  readonly differences: readonly string[];
}

export interface ApplyStreamingReport {
  /** `failed`: at least one is there and differs. */
  readonly outcome: 'passed' | 'nothing-to-do' | 'failed';
  readonly dryRun: boolean;
  readonly pipelines: readonly AppliedStreaming[];
}

/**
 * Creates the streaming pipelines that are not there yet (spec §4.2). What is there is compared; the API has no call to change
 * it. That a creation begins is remembered before it is sent, its id as soon as it is known: the API lists no streaming
 * pipelines, so nothing could find it again.
 * Throws Failure 'config-invalid' at the line that the platform refuses, 'outcome-unknown' where an earlier creation, or
 * this one, may have taken place, and what the client throws.
 */
export async function applyStreaming(
  { definitions, known, deadline = Infinity, dryRun }: ApplyStreamingRequest,
  context: PlatformContext,
): Promise<ApplyStreamingReport> {
  refuseSameNames(definitions);
  const pipelines: AppliedStreaming[] = [];
  for (const definition of definitions) {
    const { name } = definition;
    const before = known.of(context.projectId).get(name);
    if (before === undefined) {
      const id = dryRun ? undefined : await create(definition, known, deadline, context);
      pipelines.push({ name, did: 'created', differences: [], ...(id === undefined ? {} : { id }) });
    } else if ('creating' in before) {
      throw creationOutcomeUnknown(name, before.creating);
    } else {
      pipelines.push(await compare(definition, before.id, deadline, context));
    }
  }
  const did = new Set(pipelines.map((pipeline) => pipeline.did));
  return {
    outcome: did.has('differs') ? 'failed' : did.has('created') ? 'passed' : 'nothing-to-do',
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
    hint: 'Names tell streaming pipelines apart here: give each its own.',
  });
}

async function create(
  definition: StreamingDefinition,
  known: KnownPipelines,
  deadline: number,
  context: PlatformContext,
): Promise<string> {
  const { client, projectId, progress, clock } = context;
  const { name, fields } = definition;
  if (clock.now() >= deadline) {
    throw new Failure('no-answer', {
      message: `The time was up before the streaming pipeline "${name}" could be created.`,
      hint: 'Apply again with a longer --timeout: what was created is kept, and nothing is created twice.',
    });
  }
  progress.step(`Creating ${name}`);
  await known.remember(projectId, name, { creating: new Date(clock.now()).toISOString() });
  try {
    // Checked by the contract when it was read, and once more by the method.
    const input = { ...fields, projectId } as unknown as CreateInput;
    const { streamingPipelineId: id } = await client.streamingPipelines.create(
      input,
      limitsOf(deadline, context),
    );
    await known.remember(projectId, name, { id });
    return id;
  } catch (error) {
    const perhaps = error instanceof ClientError && error.isUnknown;
    if (!perhaps) await known.remember(projectId, name, undefined);
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
    const there = await client.streamingPipelines.get(
      { projectId, streamingPipelineId: id },
      limitsOf(deadline, context),
    );
    const found = differences(fields, there);
    return { name, id, did: found.length === 0 ? 'unchanged' : 'differs', differences: found };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new Failure('not-found', {
      message: `The streaming pipeline "${name}" (${id}) is not on the platform any more.`,
      hint: 'If it was deleted there, take its entry out of the file of ids and apply again.',
      cause: error,
    });
  }
}

function limitsOf(deadline: number, context: PlatformContext): CallOptions {
  return deadline === Infinity ? { signal: context.signal } : untilDeadline(deadline, context);
}

function creationOutcomeUnknown(name: string, since: string): Failure {
  return new Failure('outcome-unknown', {
    message: `The creation of the streaming pipeline "${name}" was begun at ${since}, and its answer is not known.`,
    hint: `Look on the platform. If it is there, put its id into the file of ids: "${name}": { "id": "…" }. If it is not, take the entry out and apply again.`,
  });
}
