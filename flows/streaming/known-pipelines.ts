import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { z } from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';

const knownPipelineSchema = z.union([
  z.strictObject({ id: z.string().min(1) }),
  /** A creation that was started and whose outcome is unknown. */
  z.strictObject({ creating: z.iso.datetime() }),
]);

const schema = z.strictObject({
  version: z.literal(1),
  projects: z.record(z.string(), z.record(z.string(), knownPipelineSchema)),
});

/** What is known about one streaming pipeline: its id, or that its creation was started. */
export type KnownPipeline = z.output<typeof knownPipelineSchema>;

/**
 * The ids of streaming pipelines, by project and name. The API cannot list streaming pipelines (spec §4.2), so one
 * whose id is lost can never be stopped.
 */
export interface KnownPipelines {
  of(projectId: string): ReadonlyMap<string, KnownPipeline>;
  /** Stores the entry durably before it resolves; `undefined` deletes it. */
  remember(projectId: string, name: string, pipeline: KnownPipeline | undefined): Promise<void>;
}

/**
 * Parses the text of the file (`undefined`: the file does not exist yet). `write` replaces the whole file. Throws
 * Failure 'usage' if the text is not a file of ids.
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
        Object.fromEntries([...entries].toSorted(([a], [b]) => compareTexts(a, b))),
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
      message: 'This file does not contain the ids of streaming pipelines in the expected form.',
      where: { input: '--ids', file },
      hint: 'If the file is damaged, restore it from git, because only this file has the ids. If --ids names the wrong file, give the one that `millrace streaming apply` wrote.',
      cause,
    });
  }
}
