import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { ReviewOptions } from '../../review/review-options.ts';

const formats = ['mermaid', 'markdown'] as const;

interface Options extends Omit<ReviewOptions, 'format'> {
  readonly format?: (typeof formats)[number];
  readonly around?: string;
}

/** `millrace graph`: the calls between pipelines, for a README or a pull request. */
export const addGraph: AddCommand = (program, shell) => {
  defineCommand(program, 'graph', 'Draw the calls between pipelines as a Mermaid graph.')
    .option('--commit <ref>', 'commit to draw', 'HEAD')
    .option('--working-tree', 'draw the files on disk, including new ones')
    .option('--around <pipeline>', 'only this pipeline, its direct and indirect callers, and what it calls')
    .option('--format <format>', `${formats.join(' or ')} (a Mermaid code block)`, oneOf(formats))
    .option('--config-dir <folder>', 'folder of the quality rules file')
    .action(
      commandAction<Options>(shell, async (session, { format, around, ...options }) => {
        const { output, flow } = session;
        const { commitSnapshot } = await import('../../../lib/git/snapshot.ts');
        const { reviewRequest } = await import('../../review/review-request.ts');
        const request = await reviewRequest(session, { ...options, local: true, scope: 'all' }, []);
        const { repository, directory, include, exclude = [], configDir, sharedPrefix, callFolder } = request;
        const snapshot =
          request.snapshot ?? commitSnapshot(repository, await repository.resolveCommit(request.commit));
        const { reviewLocally } = await import('../../../flows/review/review-locally.ts');
        const { pipelineGraph } = await import('../../../flows/graph/pipeline-graph.ts');
        const { describeHiddenPipelines, describeMisnamedPipelines, hiddenPipelines, misnamedPipelines } =
          await import('../../../flows/project/hidden-pipelines.ts');
        const { describeCallRoot } = await import('../../../lib/pipelines/model/call-root.ts');
        const { graphAround } = await import('../../../flows/graph/graph-around.ts');
        const { mermaidOf } = await import('../../../flows/graph/mermaid.ts');
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
        const whole = await pipelineGraph({
          snapshot,
          directory,
          include,
          exclude,
          configDir,
          sharedPrefix,
          callFolder,
          findings,
        });
        if (whole.callRoot !== undefined) output.logger.warn(describeCallRoot(whole.callRoot));
        const graph = around === undefined ? whole : graphAround(whole, around);
        const drawn = mermaidOf(graph).trimEnd().split('\n');
        output.result(graph, format === 'markdown' ? ['```mermaid', ...drawn, '```'] : drawn);
        return 'passed';
      }),
    );
};
