import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { decodeText } from '../../../lib/core/files/decode-text.ts';
import { hasNoSql } from '../../../lib/pipelines/checks/missing-file.ts';
import { variablesOfScript } from '../../../lib/pipelines/checks/undeclared-variable.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';

/** Files of one git process, which are in memory together. */
const readBatchSize = 100;

/** Whether the name of a file is the name of a script. A pipeline may also run other files as scripts. */
export function isScript(path: string): boolean {
  return /\.(?:sql|py)$/i.test(path);
}

/** Facts about scripts, by their paths in the project. */
export interface ReadScripts {
  /** Scripts that are not text: the reason why they cannot be read, as the end of a sentence. */
  readonly faults: Map<string, string>;
  /** Scripts that have no SQL to run. */
  readonly empty: Set<string>;
  /** The variables that the other scripts use, each with the line of its first use. */
  readonly uses: Map<string, ReadonlyMap<string, number>>;
}

/** The scripts that use variables. */
export function withVariables({ uses }: ReadScripts): readonly string[] {
  return [...uses].flatMap(([path, { size }]) => (size === 0 ? [] : [path]));
}

/** Reads scripts and adds facts about them. Paths are relative to the project. */
export async function readScripts(
  scripts: ReadScripts,
  paths: readonly string[],
  { snapshot, directory }: { readonly snapshot: Snapshot; readonly directory: string },
): Promise<void> {
  for (let start = 0; start < paths.length; start += readBatchSize) {
    const batch = new Map(
      paths.slice(start, start + readBatchSize).map((path) => [inRepository(directory, path), path] as const),
    );
    const contents = await snapshot.readFiles([...batch.keys()], maxPipelineBytes);
    for (const [file, content] of contents) {
      const { text, fault } = decodeText(content);
      const path = batch.get(file) ?? file;
      if (fault !== undefined) scripts.faults.set(path, fault.reason);
      else {
        scripts.uses.set(path, variablesOfScript(text));
        if (hasNoSql(text)) scripts.empty.add(path);
      }
    }
  }
}
