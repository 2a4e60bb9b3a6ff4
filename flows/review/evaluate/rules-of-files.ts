import { decodeText } from '../../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { type PreparedRule, prepareRules } from '../../../lib/pipelines/prepare-rules.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { folderOf, rulesFileFor } from '../../../lib/pipelines/rules-file.ts';

/** Gives the quality rules that apply to a pipeline. */
export interface RulesOfFiles {
  /** Path of the rules file that applies to a pipeline. */
  rulesFileOf(path: string): string;
  /** Its rules. */
  rulesOf(path: string): readonly PreparedRule[];
}

/** A file that is only on disk does not count elsewhere. */
const places: Readonly<Partial<Record<Snapshot['kind'], string>>> = {
  commit: ' in the commit that is reviewed',
  staged: ' among the staged files',
};

/** Reads the rules files in the snapshot that apply to these pipelines. */
export async function prepareRulesOf(
  pipelines: readonly string[],
  snapshot: Snapshot,
  configDir: string,
): Promise<RulesOfFiles> {
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const rulesFileOf = (path: string) => rulesFileFor(folderOf(path), (file) => existing.has(file), configDir);
  const rulesFiles = [...new Set(pipelines.map(rulesFileOf))];
  const texts = await snapshot.readFiles(rulesFiles, maxPipelineBytes);
  const prepared = rulesFiles.map(async (path) => {
    const content = texts.get(path);
    const rules = await prepareRules({
      path,
      text: undefined,
      ...(content === undefined ? {} : decodeText(content)),
      unread: snapshot.unread.get(path),
      place: places[snapshot.kind],
    });
    return [path, rules] as const;
  });
  const rules = new Map(await Promise.all(prepared));
  return { rulesFileOf, rulesOf: (path) => rules.get(rulesFileOf(path)) ?? [] };
}
