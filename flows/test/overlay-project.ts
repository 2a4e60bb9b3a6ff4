import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import {
  maxPipelineBytes,
  type PipelineDocument,
  readPipeline,
  unreadPipeline,
} from '../../lib/pipelines/read-pipeline.ts';
import { filesBeside, type TestProject, usesVariable } from './test-project.ts';

/** What differs from a project on disk. */
export interface Overlay {
  /** By path in the project: the content of a file, or undefined for one that does not exist. */
  readonly contents: ReadonlyMap<string, Uint8Array | undefined>;
  /** Another kind of warehouse. */
  readonly settings?: Pick<TestProject, 'kind' | 'defaults'> | undefined;
}

/** A project with other content for some of its files, also for files that it does not have. */
export function overlayProject(saved: TestProject, { contents, settings }: Overlay): TestProject {
  const texts = new Map<string, string>();
  const documents = new Map<string, PipelineDocument>();
  const bytes = (file: string) => (contents.has(file) ? contents.get(file) : saved.bytes(file));
  const text = (file: string): string | undefined => {
    if (!contents.has(file)) return saved.text(file);
    const content = contents.get(file);
    if (content === undefined) return undefined;
    const read = texts.get(file) ?? Buffer.from(content).toString('utf8');
    texts.set(file, read);
    return read;
  };
  const has = (file: string) => (contents.has(file) ? contents.get(file) !== undefined : saved.has(file));
  const size = (file: string) => (contents.has(file) ? contents.get(file)?.byteLength : saved.size(file));
  const paths = [...new Set([...saved.paths, ...contents.keys()])].filter(has).toSorted();
  const pipelines = paths.filter((file) => kindOf(file) !== undefined);
  const isLong = (file: string) => (size(file) ?? 0) > maxPipelineBytes;
  return {
    ...saved,
    ...settings,
    paths,
    pipelines,
    has,
    size,
    text,
    bytes,
    mentions: (variable) =>
      pipelines.some((file) => !isLong(file) && usesVariable(text(file) ?? '', variable)),
    pipeline(file) {
      if (!contents.has(file)) return saved.pipeline(file);
      const before = documents.get(file);
      if (before !== undefined) return before;
      if (isLong(file)) return unreadPipeline(file);
      const found = text(file);
      if (found === undefined) return undefined;
      const document = readPipeline(file, found);
      documents.set(file, document);
      return document;
    },
    beside: filesBeside({ has, size, text, bytes }),
  };
}
