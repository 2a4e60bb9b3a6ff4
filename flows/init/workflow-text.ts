import { quoteText } from '../../lib/yaml/quote-text.ts';
import { yamlWord } from './yaml-word.ts';

export interface WorkflowChoices {
  /** The project's folder in the repository; `''` for its root. */
  readonly directory: string;
  /** The branch whose pushes are reviewed too. */
  readonly branch: string;
  /** The copy of the actions: `owner/name` and a commit. */
  readonly actions: ActionsCopy;
  /** Whether `millrace.yaml` has the id of the project. */
  readonly hasProject: boolean;
}

/** A copy of Millrace's repository on GitHub, and one of its commits. */
export interface ActionsCopy {
  readonly repository: string;
  readonly commit: string;
}

/** The placeholder for a copy of Millrace that the user must fill in. */
export const unknownCopy: ActionsCopy = { repository: 'your-account/millrace', commit: '0'.repeat(40) };

/**
 * GitHub sends `edited` when a pull request gets another base, which may have other settings. The job has no condition on it: GitHub
 * counts a skipped job as passed, so an edited title would turn a failed required check green.
 */
const onPullRequest = [
  '  pull_request:',
  '    # `edited`: the base may have changed. The job has no condition, because GitHub counts a skipped job as passed.',
  '    types: [opened, synchronize, reopened, edited]',
];

const setUp = [
  '      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  '      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  '        with:',
  '          node-version: 24',
];

/**
 * The workflow that reviews pull requests. Millrace evaluates the rules itself, so it needs no platform and no
 * secret.
 */
export function reviewWorkflow(choices: WorkflowChoices & { readonly hasTests: boolean }): string {
  const { hasTests } = choices;
  return workflow(choices, {
    about: hasTests
      ? 'Reviews and tests pull requests, and shows what they change in the data, without a platform and without a secret.'
      : 'Reviews pull requests, the merge queue and the default branch, without a platform and without a secret.',
    name: 'Review',
    on: [...onPullRequest, '  merge_group:', '  push:', `    branches: [${yamlWord(choices.branch)}]`],
    concurrency: ['  group: GROUP-${{ github.ref }}', '  cancel-in-progress: true'],
    permissions: [
      '      contents: read # the files and what changed',
      '      pull-requests: write # the one comment',
      '      checks: write # findings on their lines',
    ],
    job: 'review',
    action: 'pull-request',
    inputs: ['local: true', ...(hasTests ? ['tests: true'] : [])],
  });
}

/** The workflow that runs the tests of pipelines on pull requests. */
export function testWorkflow(choices: WorkflowChoices): string {
  return workflow(choices, {
    about: 'Runs the tests of the pipelines on pull requests, without a platform and without a secret.',
    name: 'Test',
    on: [...onPullRequest, '  merge_group:'],
    concurrency: ['  group: GROUP-${{ github.ref }}', '  cancel-in-progress: true'],
    permissions: ['      contents: read # the files'],
    job: 'test',
    action: 'test',
    inputs: [],
  });
}

/** The workflow that publishes the commit of a tag. */
export function releaseWorkflow(choices: WorkflowChoices): string {
  return workflow(choices, {
    about: 'Publishes the commit of a tag to the platform.',
    name: 'Release',
    on: [
      '  push:',
      "    tags: ['v*']",
      '  # For a tag that started no workflow: choose it under "Use workflow from".',
      '  workflow_dispatch:',
    ],
    concurrency: ['  group: GROUP', '  cancel-in-progress: false'],
    permissions: [
      '      contents: write # the files at the tag; with a key, also signed evidence',
      '      pull-requests: read # who approved, for the evidence',
    ],
    job: 'release',
    action: 'release',
    inputs: [
      'base-url: ${{ vars.MILLRACE_BASE_URL }}',
      'token: ${{ secrets.MILLRACE_TOKEN }}',
      '# Without this secret, nothing is signed.',
      'evidence-key: ${{ secrets.MILLRACE_EVIDENCE_KEY }}',
      ...(choices.hasProject ? [] : ['project: ${{ vars.MILLRACE_PROJECT_ID }}']),
    ],
  });
}

interface WorkflowParts {
  readonly about: string;
  readonly name: string;
  readonly on: readonly string[];
  readonly concurrency: readonly string[];
  readonly permissions: readonly string[];
  readonly job: string;
  readonly action: string;
  readonly inputs: readonly string[];
}

function workflow({ directory, actions }: WorkflowChoices, parts: WorkflowParts): string {
  const { repository, commit } = actions;
  const inputs = [
    ...(directory === '' ? [] : [`working-directory: ${quoteText(directory)}`]),
    ...parts.inputs,
  ];
  const isKnown = actions !== unknownCopy;
  // Projects of one repository must not cancel each other.
  const group = [parts.job, ...(directory === '' ? [] : [slugOf(directory)])].join('-');
  return [
    `# ${parts.about}`,
    `name: ${directory === '' ? parts.name : quoteText(`${parts.name} ${directory}`)}`,
    '',
    'on:',
    ...parts.on,
    '',
    'permissions: {}',
    '',
    'concurrency:',
    ...parts.concurrency.map((line) => line.replace('GROUP', group)),
    '',
    'jobs:',
    `  ${parts.job}:`,
    '    runs-on: ubuntu-latest',
    '    permissions:',
    ...parts.permissions,
    '    steps:',
    ...setUp,
    `      - uses: ${repository}/actions/${parts.action}@${commit}${isKnown ? '' : ' # your copy of Millrace, and one of its commits'}`,
    ...(inputs.length === 0 ? [] : ['        with:', ...inputs.map((input) => `          ${input}`)]),
    '',
  ].join('\n');
}

/** The name of a folder in a form for file names. */
export function slugOf(directory: string): string {
  return directory
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
}
