interface FirstRule {
  readonly id: string;
  readonly level: 'error' | 'warn';
  readonly config?: string;
}

/** Errors are mistakes in every project; what is a matter of taste only warns. */
const firstRules: readonly FirstRule[] = [
  { id: 'start-and-end-components', level: 'error' },
  { id: 'unused-components', level: 'error' },
  { id: 'end-output-components', level: 'error' },
  { id: 'copied-variables', level: 'error' },
  { id: 'minimum-components', level: 'error', config: 'minComponents: 1' },
  { id: 'maximum-components', level: 'warn', config: 'maxComponents: 30' },
  { id: 'maximum-outputs', level: 'warn', config: 'maxOutputs: 1' },
];

/** The text of a first rules file. */
export function rulesText(): string {
  return [
    '# The quality rules of this project. A rule at `error` fails a review; a rule at `warn` only informs.',
    '# docs/rules.md in the folder of Millrace, such as node_modules/millrace, explains each rule.',
    'rules:',
    ...firstRules.flatMap(({ id, level, config }) => [
      `  - id: ${id}`,
      '    enabled: true',
      `    enforcementLevel: ${level}`,
      ...(config === undefined ? [] : ['    config:', `      ${config}`]),
    ]),
    '  # The names of components must match the whole pattern.',
    '  - id: component-naming-convention',
    '    enabled: false',
    '    enforcementLevel: warn',
    '    config:',
    '      regexMatchPattern: "[A-Z].*"',
    '',
  ].join('\n');
}

export const firstRuleCount = firstRules.length;
