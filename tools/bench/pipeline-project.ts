/** A typical orchestration: a start, a chain of scripts, an end; about thirty components and 8 kB. */
export function typicalPipeline(seed: number, components = 30): string {
  const names = Array.from({ length: components - 2 }, (_, index) => `Step ${seed} ${index}`);
  const lines = ['type: "orchestration"', 'version: "1.0"', 'pipeline:', '  components:'];
  const component = (name: string, type: string, next: string | undefined, extra: readonly string[] = []) => {
    lines.push(`    ${name}:`, `      type: "${type}"`);
    if (next !== undefined) lines.push('      transitions:', '        success:', `        - "${next}"`);
    lines.push('      skipped: false', '      parameters:', `        componentName: "${name}"`, ...extra);
  };
  component('Start', 'start', names[0]);
  names.forEach((name, index) =>
    component(name, 'sql-executor', names[index + 1] ?? 'Done', [
      '        scriptLocation: "Component"',
      `        sqlScript: "create or replace table step_${index} as\\r\\nselect * from source_${seed}\\r\\nwhere day = '\${day}'"`,
      '        declareSqlVariables: "Include selected"',
      '        variablesToInclude:',
      '        - - "day"',
    ]),
  );
  component('Done', 'end-success', undefined);
  lines.push(
    '  variables:',
    '    day:',
    '      metadata:',
    '        type: "TEXT"',
    '        scope: "SHARED"',
    '        visibility: "PUBLIC"',
    '      defaultValue: "today"',
  );
  lines.push('design:', '  components:');
  for (const [index, name] of ['Start', ...names, 'Done'].entries()) {
    lines.push(
      `    ${name}:`,
      '      position:',
      `        x: ${index * 100}`,
      '        "y": 0',
      '      tempMetlId: ' + index,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** All rules on, as warnings. */
export const everyRule = `rules:
${[
  ['minimum-components', 'minComponents: 1'],
  ['maximum-components', 'maxComponents: 40'],
  ['component-naming-convention', 'regexMatchPattern: "[A-Z][A-Za-z0-9 ]*"'],
  ['unused-components', undefined],
  ['copied-variables', undefined],
  ['start-and-end-components', undefined],
  ['maximum-outputs', 'maxOutputs: 1'],
  ['end-output-components', undefined],
]
  .map(
    ([id, config]) =>
      `  - id: ${id}\n    enabled: true\n    enforcementLevel: warn\n${config === undefined ? '' : `    config:\n      ${config}\n`}`,
  )
  .join('')}`;
