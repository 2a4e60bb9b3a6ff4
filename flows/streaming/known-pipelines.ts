import { z } from 'zod';
import { Failure } from '../../lib/core/failure.ts';

const known = z.union([
  z.strictObject({ id: z.string().min(1) }),
  /** A creation that was begun, and whose answer is not known. */
  z.strictObject({ creating: z.iso.datetime() }),
]);

const schema = z.strictObject({
  version: z.literal(1),
  projects: z.record(z.string(), z.record(z.string(), known)),
});

/** What is known of one streaming pipeline: its id, or that its creation was begun. */
export type KnownPipeline = z.output<typeof known>;

/**
 * The ids of streaming pipelines by project and name. The API lists none (spec §4.2), so that whoever forgets an id
 * can never stop its pipeline again.
 */
export interface KnownPipelines {
  of(projectId: string): ReadonlyMap<string, KnownPipeline>;
  /** Remembers, durably, before it resolves. */
  remember(projectId: string, name: string, pipeline: KnownPipeline | undefined): Promise<void>;
}

/**
 * Reads the file's text (`undefined`: there is none yet). `write` replaces the file as a whole.
 * Throws Failure 'usage' for a file that is something else.
 */
export function knownPipelines(
  text: string | undefined,
  file: string,
  write: (text: string) => Promise<void>,
): KnownPipelines {
  const projects = new Map(
    Object.entries(read(text, file)).map(
      ([id, pipelines]) => [id, new Map(Object.entries(pipelines))] as const,
    ),
  );
  return {
    of: (projectId) => projects.get(projectId) ?? new Map(),
    async remember(projectId, name, pipeline) {
      const pipelines = projects.get(projectId) ?? new Map<string, KnownPipeline>();
      projects.set(projectId, pipelines);
      if (pipeline === undefined) pipelines.delete(name);
      else pipelines.set(name, pipeline);
      const sorted = [...projects].map(([id, entries]) => [
        id,
        Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ]);
      await write(`${JSON.stringify({ version: 1, projects: Object.fromEntries(sorted) }, null, 2)}\n`);
    },
  };
}

function read(text: string | undefined, file: string) {
  if (text === undefined) return {};
  try {
    return schema.parse(JSON.parse(text)).projects;
  } catch (cause) {
    throw new Failure('usage', {
      message: `${file} does not hold ids of streaming pipelines.`,
      where: { input: '--ids', file },
      hint: 'Name the file that an earlier apply wrote; bring it back from git if it was damaged. Without it the ids are lost.',
      cause,
    });
  }
}
