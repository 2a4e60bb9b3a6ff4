import { parse } from 'yaml';
import { reviewFiles } from '../pipelines/review-files.ts';
import { pairwise, type Row } from './measure.ts';
import { everyRule, typicalPipeline } from './pipeline-project.ts';

/** All eight rules over 1,000 typical files, against only parsing the same texts with `yaml`. */
export async function review(): Promise<Row[]> {
  const pipelines = Array.from({ length: 1000 }, (_, seed) => ({
    path: `team ${seed % 10}/pipeline ${seed}.orch.yaml`,
    text: typicalPipeline(seed),
  }));
  const rulesFile = { path: '.platform/config/pipeline_quality_rules.yaml', text: everyRule };
  const { ours, reference } = await pairwise(
    3,
    async () => {
      const { results, reviewStatus } = reviewFiles({ rulesFile, pipelines });
      if (results.size !== pipelines.length || reviewStatus !== 'PASSED')
        throw new Error('The review went wrong.');
    },
    async () => {
      for (const { text } of pipelines) parse(text);
    },
  );
  return [
    { what: 'review of 1,000 files, all rules', ours, referenceName: '`yaml` parsing them', reference },
  ];
}
