import { expect, test } from 'vitest';
import { mermaidOf } from '../../../flows/graph/mermaid.ts';
import { pipelineGraph } from '../../../flows/graph/pipeline-graph.ts';
import { openWorkCopy } from '../../../lib/git/work-tree/work-copy.ts';
import { reviewProject } from '../review/review-project.ts';

const call = (type: string, parameter: string, target: string) =>
  `    Run ${target.replaceAll(/\W/g, '')}:\n      type: ${type}\n      parameters: { ${parameter}: '${target}' }\n`;
const pipeline = (...calls: string[]) => `pipeline:\n  components:\n${calls.join('')}`;

test('the graph marks entry points, shared pipelines, foreign and missing ones, and findings', async () => {
  using project = reviewProject();
  project.write(
    'main.orch.yaml',
    pipeline(
      call('run-orchestration', 'orchestrationJob', 'daily/load'),
      call('run-orchestration', 'orchestrationJob', 'nowhere'),
      call('run-orchestration', 'orchestrationJob', '${dynamic}'),
      call('run-shared-pipeline', 'pipelineName', 'finance#close'),
    ),
  );
  project.write(
    'daily/load.orch.yaml',
    pipeline(call('run-transformation', 'transformationJob', 'build.tran.yaml')),
  );
  project.write('build.tran.yaml', 'pipeline:\n  components:\n    bad name:\n      type: x\n');
  project.write(
    '.platform/shared-pipelines.yaml',
    'pipelines:\n  - { pipeline: daily/load, id: load-all }\n',
  );
  const snapshot = await openWorkCopy(project.directory, 'working-tree');
  const { findings } = await project.review({ snapshot });
  const graph = await pipelineGraph({
    snapshot,
    directory: '',
    include: ['**/*'],
    configDir: '.platform',
    findings,
  });

  expect(mermaidOf(graph).split('\n')).toEqual([
    'flowchart LR',
    '  n0[/"build"/]',
    '  n1{{"daily/load<br/>shared as load-all"}}',
    '  n2(["main"])',
    '  n3["nowhere<br/>does not exist"]',
    '  n4{{"finance#35;close"}}',
    '  n1 --> n0',
    '  n2 --> n1',
    '  n2 --> n3',
    '  n2 --> n4',
    '  classDef error stroke:#d1242f,stroke-width:3px',
    '  class n0 error',
    '  classDef foreign stroke-dasharray:4 3',
    '  class n4 foreign',
    '  classDef missing stroke:#d1242f,stroke-dasharray:4 3',
    '  class n3 missing',
    '',
  ]);
});

test('a name cannot end its label or bring markup of its own', () => {
  const name = 'a"]; click n0 "javascript:x" <b>`\n.orch.yaml';
  const drawn = mermaidOf({ nodes: [{ name, kind: 'orchestration', entry: false }], calls: [] });
  expect(drawn.split('\n')[1]).toMatch(/^ {2}n0\["[\p{L}\p{N} ./_#;-]*"\]$/u);
});
