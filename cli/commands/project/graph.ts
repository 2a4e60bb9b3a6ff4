import { commitSnapshot } from '../../../lib/git/snapshot.ts';
import { act, type AddCommand, define, oneOf } from '../../kit/command.ts';
import { type ReviewOptions, reviewRequest } from '../../kit/review-request.ts';

const forms = ['mermaid', 'markdown'] as const;

interface Options extends Omit<ReviewOptions, 'format'> {
  readonly format?: (typeof forms)[number];
  readonly around?: string;
}

/** `millrace graph`: who calls whom, for a README or a pull request. */
export const addGraph: AddCommand = (program, shell) => {
  define(program, 'graph', 'Draw the calls between pipelines as Mermaid.')
    .option('--commit <ref>', 'the commit to draw', 'HEAD')
    .option('--working-tree', 'the files on disk, new ones too')
    .option('--around <pipeline>', 'only what leads to this pipeline, and what it leads to')
    .option('--format <form>', `${forms.join(' or ')} (in a code block)`, oneOf(forms))
    .option('--config-dir <folder>', 'folder of the rules file')
    .action(
      act<Options>(shell, async (session, { format, around, ...options }) => {
        const { output, flow } = session;
        const request = await reviewRequest(session, { ...options, local: true, scope: 'all' }, []);
        const { repository, directory, include, exclude = [], configDir } = request;
        const snapshot =
          request.snapshot ?? commitSnapshot(repository, await repository.resolveCommit(request.commit));
        const { reviewLocally } = await import('../../../flows/review/review-locally.ts');
        const { pipelineGraph } = await import('../../../flows/graph/pipeline-graph.ts');
        const { hiddenPipelines, describeHiddenPipelines } =
          await import('../../../flows/project/hidden-pipelines.ts');
        const { graphAround } = await import('../../../flows/graph/graph-around.ts');
        const { mermaidOf } = await import('../../../flows/graph/mermaid.ts');
        const hidden = hiddenPipelines(await snapshot.list(directory), { include, exclude }, directory);
        if (hidden.length > 0) output.logger.warn(describeHiddenPipelines(hidden));
        const { findings } = await reviewLocally({ ...request, snapshot }, flow);
        const whole = await pipelineGraph({ snapshot, directory, include, exclude, configDir, findings });
        const graph = around === undefined ? whole : graphAround(whole, around);
        const drawn = mermaidOf(graph).trimEnd().split('\n');
        output.result(graph, format === 'markdown' ? ['```mermaid', ...drawn, '```'] : drawn);
        return 'passed';
      }),
    );
};
