import { yamlWord } from './yaml-word.ts';

export interface SettingsChoices {
  readonly project?: string | undefined;
  readonly environments: readonly string[];
  readonly warehouse?: string | undefined;
  /** The JSON Schema for editors, relative to the project. */
  readonly schema?: string | undefined;
}

/** The text of a first `millrace.yaml`. */
export function settingsText({ project, environments, warehouse, schema }: SettingsChoices): string {
  const [first] = environments;
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=./${schema}`]),
    '# Settings of Millrace. docs/configuration.md in the folder of Millrace, such as node_modules/millrace, lists all keys.',
    'version: 1',
    ...(project === undefined
      ? [
          '# The id of the project on the platform. Local reviews and tests do not need it.',
          '# project: 00000000-0000-0000-0000-000000000000',
        ]
      : [`project: ${project}`]),
    ...(first === undefined
      ? [
          '# The environments of the platform, in the order in which a version passes through them.',
          '# environments: [dev, test, prod]',
        ]
      : [`environments: [${environments.map(yamlWord).join(', ')}]`]),
    'review:',
    '  # The lowest severity that fails a review: error, warning, notice or never.',
    '  fail-on: error',
    '  scope: all',
    '  # Checks of Millrace, in addition to the rules file. docs/rules.md explains each.',
    '  checks:',
    '    unknown-call: error',
    '    call-cycle: error',
    '    dangling-reference: error',
    '    unknown-key: error',
    '    unknown-parameter: error',
    '    wrong-type: error',
    '    literal-environment: warning',
    '    shared-id-changed: error',
    '    shared-pipelines-file: error',
    '    passed-variable: warning',
    '    missing-file: error',
    '    connector-file: error',
    ...(first === undefined
      ? []
      : [
          'release:',
          '  # A tag that matches publishes the project to this environment, under the name of the tag.',
          '  tag: "v*"',
          `  environment: ${yamlWord(first)}`,
        ]),
    ...(warehouse === undefined ? [] : ['engine:', `  warehouse: ${warehouse}`]),
    '',
  ].join('\n');
}
