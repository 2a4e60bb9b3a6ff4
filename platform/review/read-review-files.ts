import type { Repository } from '../../lib/git/repository.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import type { RulesFileText } from '../../lib/pipelines/prepare-rules.ts';
import type { PipelineFile, ReviewInput } from '../../lib/pipelines/review-files.ts';
import { folderOf, rulesFileFor, rulesFilePath } from '../../lib/pipelines/rules-file.ts';

/** The rules files and the reviewed files of the commit, or the paths that the commit does not have. */
export async function readReviewFiles(
  repository: Repository,
  commit: string,
  pipelines: readonly string[],
  configDir: string,
  signal: AbortSignal | undefined,
): Promise<ReviewInput | { readonly missing: readonly string[] }> {
  const tree = await repository.listTree(commit, { signal });
  const blobs = new Map(tree.filter(({ type }) => type === 'blob').map(({ path, oid }) => [path, oid]));
  const paths = [...new Set(pipelines)];
  const missing = paths.filter((path) => !blobs.has(path));
  if (missing.length > 0) return { missing };

  await using reader = repository.openBlobReader({ signal });
  const read = async (path: string) => {
    const oid = blobs.get(path);
    const bytes = oid === undefined ? undefined : await reader.readWithin(oid, maxPipelineBytes);
    return bytes === undefined ? undefined : decodeText(bytes);
  };
  const rulesFileAt = async (path: string): Promise<RulesFileText> => ({
    path,
    text: undefined,
    ...(await read(path)),
  });
  const rulesFile = await rulesFileAt(rulesFilePath(configDir));
  const isThere = (path: string) => blobs.has(path);
  const rulesFiles = new Map<string, RulesFileText>();
  const rulesFor = async (pipeline: string) => {
    const path = rulesFileFor(folderOf(pipeline), isThere, configDir);
    const before = rulesFiles.get(path) ?? (await rulesFileAt(path));
    rulesFiles.set(path, before);
    return before;
  };
  const files: PipelineFile[] = [];
  // An excluded file is not read, because only its name is needed.
  for (const path of paths) {
    const content = kindOf(path) === undefined ? { text: '' } : await read(path);
    files.push({ path, text: undefined, ...content, rulesFile: await rulesFor(path) });
  }
  return { rulesFile, pipelines: files };
}
