/** The shape that costs a check most: one file with as many of its violations as fit. */
export interface WorstShape {
  /** The check, without `millrace/`. */
  readonly check: string;
  readonly file: string;
  /** A file of at most this size in bytes. */
  text(bytes: number): string;
}

const orchestration = 'pipeline: { components: { ';
const transformation = 'type: transformation\npipeline: { components: { ';

function shape(
  check: string,
  file: string,
  [begin, part, end]: readonly [begin: string, part: (index: number) => string, end: string],
): WorstShape {
  return {
    check,
    file,
    text(bytes) {
      const parts = [begin];
      let length = begin.length + end.length;
      for (let next = part(0); length + next.length <= bytes; next = part(parts.length)) {
        parts.push(next);
        length += next.length;
      }
      return [...parts, end].join('');
    },
  };
}

export const worstShapes: Readonly<Record<string, WorstShape>> = {
  'missing sources of one component': shape('dangling-reference', 'a.tran.yaml', [
    `${transformation}A: { type: unite, sources: [`,
    (index) => `x${index},`,
    '] } } }',
  ]),
  'the same missing source again and again': shape('dangling-reference', 'a.tran.yaml', [
    `${transformation}A: { type: unite, sources: [`,
    () => 'x,',
    '] } } }',
  ]),
  'components that each name a missing component': shape('dangling-reference', 'a.orch.yaml', [
    orchestration,
    (index) => `c${index}: { type: and, transitions: { success: [d${index}x] } }, `,
    '} }',
  ]),
  'components with long names that each name a missing component': shape(
    'dangling-reference',
    'a.tran.yaml',
    [
      transformation,
      (index) => `${'ab'.repeat(45)}${index}: { type: unite, sources: [${'ba'.repeat(45)}${index}] }, `,
      '} }',
    ],
  ),
  'undeclared variables of one iterator': shape('undeclared-variable', 'a.orch.yaml', [
    `${orchestration}A: { type: fixed-iterator, parameters: { variablesToIterate: [`,
    (index) => `[v${index}],`,
    '] } } } }',
  ]),
  'undeclared variables in one text': shape('undeclared-variable', 'a.orch.yaml', [
    `${orchestration}A: { type: sql-executor, parameters: { sqlScript: "`,
    (index) => `\${v${index}}`,
    '" } } } }',
  ]),
  'undeclared variables in many texts': shape('undeclared-variable', 'a.orch.yaml', [
    `${orchestration}A: { type: sql-executor, parameters: { `,
    (index) => `p${index}: "\${v${index}}", `,
    '} } } }',
  ]),
  'unknown keys of one component': shape('unknown-key', 'a.orch.yaml', [
    `${orchestration}A: { type: sql-executor, `,
    (index) => `p${index}: x, `,
    '} } }',
  ]),
  'fixed environments': shape('literal-environment', 'a.orch.yaml', [
    `${orchestration}A: { type: sql-executor, parameters: { `,
    (index) => `p${index}_schema: DEV, `,
    '} } } }',
  ]),
  'calls of missing pipelines': shape('unknown-call', 'a.orch.yaml', [
    orchestration,
    (index) => `c${index}: { type: run-orchestration, parameters: { orchestrationJob: x${index} } }, `,
    '} }',
  ]),
  'calls of the pipeline itself': shape('call-cycle', 'a.orch.yaml', [
    orchestration,
    (index) => `c${index}: { type: run-orchestration, parameters: { orchestrationJob: a } }, `,
    '} }',
  ]),
};
