import type { PipelineGraph } from '../../../flows/graph/pipeline-graph.ts';
import type { TableGraph } from '../../../flows/graph/table-graph.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import type { Session } from '../../kit/session.ts';
import type { ReviewOptions } from '../../review/review-options.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import { jsonLines } from '../../terminal/json-lines.ts';

const formats = ['mermaid', 'markdown', 'svg', 'text', 'json'] as const;

interface GraphOptions extends Omit<ReviewOptions, 'format'> {
  readonly format?: (typeof formats)[number];
  readonly around?: string;
  readonly callsOnly?: boolean;
}

/** GitHub draws no Mermaid graph with more arrows. */
const maxMermaidArrows = 500;

/** `millrace graph`: the calls between pipelines and the tables that they use, for a README, a pull request or a browser. */
export const addGraph: AddCommand = (program, shell) => {
  defineCommand(program, 'graph', 'Draw the calls between pipelines, and the tables that they use.')
    .option('--commit <ref>', 'commit to draw', 'HEAD')
    .option('--working-tree', 'draw the files on disk, including new ones')
    .option(
      '--around <name>',
      'only this pipeline, its direct and indirect callers, and what it calls, with their tables; or this table and the pipelines that use it',
    )
    .option('--calls-only', 'without tables')
    .option(
      '--format <format>',
      `${formats.join(', ')}; markdown is a Mermaid code block, svg a picture for a browser`,
      oneOf(formats),
    )
    .option('--config-dir <folder>', 'folder of the quality rules file')
    .action(commandAction<GraphOptions>(shell, drawProject));
};

async function drawProject(session: Session, options: GraphOptions): Promise<Outcome> {
  const { json = false, format = 'mermaid', around, callsOnly = false } = options;
  const { logger } = session.output;
  // Without --json, the default is for people.
  refuseFormat(options);
  const request = await graphRequest(session, options);
  const { graphAround, tablesAround } = await import('../../../flows/graph/graph-around.ts');
  if (callsOnly) {
    const { pipelineGraph } = await import('../../../flows/graph/pipeline-graph.ts');
    const whole = await pipelineGraph(request);
    await warnOfCallRoot(whole, session);
    const graph = around === undefined ? whole : graphAround(whole, around);
    session.output.result(graph, json ? [] : await linesOf(graph, undefined, format));
    return 'passed';
  }
  const { tableGraph } = await import('../../../flows/graph/table-graph.ts');
  const { engine, outside } = await session.projectConfig();
  const whole = await tableGraph({ ...request, kind: engine.warehouse, outside });
  await warnOfCallRoot(whole, session);
  const graph = around === undefined ? whole : tablesAround(whole, around);
  const { unknownSentence } = await import('../../../flows/graph/graph-lines.ts');
  if (graph.unknown.length > 0 && !json && format !== 'text' && format !== 'json')
    logger.warn(`${unknownSentence(graph.unknown)} \`--format text\` says why.`);
  const lines = json ? [] : await linesOf(graph, graph, format);
  const arrows = graph.calls.length + graph.uses.length;
  if (arrows > maxMermaidArrows && !json && (format === 'mermaid' || format === 'markdown'))
    logger.warn(
      `The graph has ${arrows} arrows, and GitHub draws ${maxMermaidArrows} at most. Use \`--format svg\`, draw a part with \`--around\`, or leave out the tables with \`--calls-only\`.`,
    );
  session.output.result(graph, lines);
  return 'passed';
}

async function warnOfCallRoot({ callRoot }: PipelineGraph, { output }: Session): Promise<void> {
  if (callRoot === undefined) return;
  const { describeCallRoot } = await import('../../../lib/pipelines/model/call-root.ts');
  output.logger.warn(describeCallRoot(callRoot));
}

/** What is drawn, with the findings to mark. Warns of pipelines that are left out. */
async function graphRequest(
  session: Session,
  { format: _format, around: _around, callsOnly: _callsOnly, ...options }: GraphOptions,
) {
  const { output, flow } = session;
  const { commitSnapshot } = await import('../../../lib/git/snapshot.ts');
  const { reviewRequest } = await import('../../review/review-request.ts');
  const request = await reviewRequest(session, { ...options, local: true, scope: 'all' }, []);
  const { repository, directory, include, exclude = [], configDir, sharedPrefix, callFolder } = request;
  const snapshot: Snapshot =
    request.snapshot ?? commitSnapshot(repository, await repository.resolveCommit(request.commit));
  const { reviewLocally } = await import('../../../flows/review/review-locally.ts');
  const { describeHiddenPipelines, describeMisnamedPipelines, hiddenPipelines, misnamedPipelines } =
    await import('../../../flows/project/hidden-pipelines.ts');
  const tree = await snapshot.list(directory);
  const hidden = hiddenPipelines(tree, { include, exclude }, directory);
  if (hidden.length > 0) output.logger.warn(describeHiddenPipelines(hidden));
  const misnamed = misnamedPipelines(tree, { include, exclude }, directory);
  if (misnamed.length > 0) output.logger.warn(describeMisnamedPipelines(misnamed));
  const { findings, notFetched = [] } = await reviewLocally({ ...request, snapshot }, flow);
  if (notFetched.length > 0)
    output.logger.warn(
      `${numberOf(notFetched.length, 'pipeline is', 'pipelines are')} drawn without their calls, because this partial clone has not fetched the content. Fetch a folder with \`git sparse-checkout add <folder>\`, or all files with \`git sparse-checkout disable\`.`,
    );
  return { snapshot, directory, include, exclude, configDir, sharedPrefix, callFolder, findings };
}

/** @param tables the graph again, if it has tables */
async function linesOf(
  graph: PipelineGraph,
  tables: TableGraph | undefined,
  format: (typeof formats)[number],
): Promise<readonly string[]> {
  switch (format) {
    case 'json':
      return jsonLines(graph);
    case 'text': {
      const { graphLines } = await import('../../../flows/graph/graph-lines.ts');
      return graphLines(tables ?? graph);
    }
    case 'svg': {
      const { drawGraph } = await import('../../../lib/drawing/draw-graph.ts');
      const { unknownSentence } = await import('../../../flows/graph/graph-lines.ts');
      const { unknown = [] } = tables ?? {};
      const drawing = drawGraph(
        { tables: [], uses: [], ...graph, ...tables },
        {
          title: tables === undefined ? 'Calls between pipelines' : 'Pipelines and their tables',
          note: unknown.length === 0 ? undefined : unknownSentence(unknown),
        },
      );
      return drawing.text.split('\n');
    }
    case 'mermaid':
    case 'markdown': {
      const { mermaidOf, tablesMermaid } = await import('../../../flows/graph/mermaid.ts');
      const drawn = (tables === undefined ? mermaidOf(graph) : tablesMermaid(tables)).trimEnd().split('\n');
      return format === 'markdown' ? ['```mermaid', ...drawn, '```'] : drawn;
    }
  }
}
