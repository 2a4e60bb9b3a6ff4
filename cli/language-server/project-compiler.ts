import type { OpenDataGraph } from '../../flows/data-graph/bind/bind-project.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { silentLogger } from '../../lib/core/ports/ports.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { openTests } from '../tests/open-tests.ts';
import type { Io } from '../terminal/io.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { OpenedProject } from './open-projects.ts';

/** Gives what `millrace compile` finds in the projects that are open in an editor. */
export interface ProjectCompiler extends AsyncDisposable {
  /**
   * The findings of a project with the texts of the editor, by path in the project; none without the engine. Only what changed since
   * the last call is bound again. One call at a time. Throws what `signal` aborts with.
   */
  findings(project: OpenedProject, signal: AbortSignal): Promise<ReadonlyMap<string, readonly Finding[]>>;
  /** Files may have changed on disk. */
  refresh(): void;
}

/** What is kept of a project between changes. */
interface Kept {
  readonly kind: TestProject['kind'];
  readonly graph: OpenDataGraph;
  /** Pipelines that were read, by path. */
  readonly parsed: Map<string, PipelineDocument>;
  /** The files on disk, until they may have changed. */
  saved: { readonly config: ProjectConfig; readonly project: TestProject } | undefined;
}

const none: ReadonlyMap<string, readonly Finding[]> = new Map();

export function createProjectCompiler(io: Io, documents: OpenDocuments): ProjectCompiler {
  const keptByFolder = new Map<string, Kept>();
  let hasEngine = true;

  async function keptOf({ folder, config }: OpenedProject): Promise<Kept | undefined> {
    const kind = config.engine.warehouse;
    const before = keptByFolder.get(folder);
    if (before?.kind === kind) return before;
    keptByFolder.delete(folder);
    await before?.graph[Symbol.asyncDispose]();
    try {
      const { openDataGraph } = await import('../../flows/data-graph/bind/bind-project.ts');
      const kept: Kept = { kind, graph: await openDataGraph({ kind }), parsed: new Map(), saved: undefined };
      keptByFolder.set(folder, kept);
      return kept;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'engine-missing') throw error;
      hasEngine = false;
      return undefined;
    }
  }

  async function savedProject({ folder, config }: OpenedProject, kept: Kept): Promise<TestProject> {
    if (kept.saved?.config === config) return kept.saved.project;
    const parts = {
      directory: folder,
      projectConfig: () => Promise.resolve(config),
      io,
      output: { logger: silentLogger },
    };
    const project = await openTests(parts, kept.parsed);
    kept.saved = { config, project };
    return project;
  }

  return {
    async findings(opened, signal) {
      const { config, request } = opened;
      const kept = hasEngine && config.compile.enabled ? await keptOf(opened) : undefined;
      if (kept === undefined) return none;
      const { withOpenTexts } = await import('../../flows/editor/test-file-problems.ts');
      const { compile } = await import('../../flows/data-graph/compile/compile.ts');
      const { compileSettings } = await import('../../flows/data-graph/compile/compile-settings.ts');
      const { concludeCompile } = await import('../../flows/data-graph/compile/conclude-compile.ts');
      const { findingsByFile } = await import('../../flows/data-graph/compile/findings-by-file.ts');
      const open = documents.filesIn(request.repository.root);
      const project = withOpenTexts(await savedProject(opened, kept), request, open);
      const graph = await kept.graph.update(project, signal);
      return findingsByFile(concludeCompile(compile(graph), compileSettings(project, config, io.clock)));
    },
    refresh() {
      for (const kept of keptByFolder.values()) kept.saved = undefined;
    },
    async [Symbol.asyncDispose]() {
      for (const { graph } of keptByFolder.values()) await graph[Symbol.asyncDispose]();
      keptByFolder.clear();
    },
  };
}
