import type { Composite, Preparation } from './composite.ts';
import { metaOf } from '../../actions/kit/inputs/input-field.ts';
import { comment } from '../../actions/pull-request/comment.ts';
import { diff } from '../../actions/diff/main.ts';
import { promote } from '../../actions/promote/main.ts';
import { publish } from '../../actions/publish/main.ts';
import { publishShared } from '../../actions/publish-shared/main.ts';
import { review } from '../../actions/review/main.ts';
import { run } from '../../actions/run/main.ts';
import { runPost } from '../../actions/run/post.ts';
import { test as runTests } from '../../actions/test/main.ts';

function passedOn(step: string, outputs: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, description]) => [
      name,
      { description, value: `\${{ steps.${step}.outputs.${name} }}` },
    ]),
  );
}

/** For tags: publish the artifact and the shared version, then promote and run if asked. */
const release: Composite = {
  name: 'release',
  title: 'Millrace release',
  description:
    'On a tag: publishes the artifact and the shared pipelines; then, if asked, promotes the version and runs a pipeline.',
  steps: [
    { id: 'publish', name: 'Publish the artifact', action: publish },
    {
      id: 'publish-shared',
      name: 'Publish the shared pipelines',
      action: publishShared,
      fixedInputs: { 'without-prefix': 'skip' },
    },
    {
      id: 'promote',
      name: 'Promote the version',
      action: promote,
      if: "inputs.to != '' && inputs.dry-run != 'true'",
      fixedInputs: {
        version: '${{ steps.publish.outputs.version }}',
        from: '${{ steps.publish.outputs.environment }}',
      },
    },
    {
      id: 'run',
      name: 'Run a pipeline',
      action: run,
      if: "inputs.pipeline != '' && inputs.dry-run != 'true'",
      fixedInputs: {
        version: '${{ steps.publish.outputs.version }}',
        environment: '${{ inputs.to || steps.publish.outputs.environment }}',
        wait: 'true',
        attach: '',
      },
    },
    {
      id: 'terminate',
      name: 'Terminate the execution of a cancelled run',
      action: runPost,
      // A composite action has no post step.
      if: 'cancelled()',
      fixedInputs: {
        'execution-id': '${{ steps.run.outputs.execution-id }}',
        'project-id': '${{ steps.run.outputs.project-id }}',
        finished: '${{ steps.run.outputs.finished }}',
      },
    },
  ],
  inputs: {
    version: {
      description:
        'Version name. Default: derived from the pushed tag by `release.tag` and `release.version` in millrace.yaml.',
    },
    environment: {
      description: 'Environment to publish to. Default: `release.environment` in millrace.yaml.',
    },
    to: { description: 'Environment to promote the version to. Without it, nothing is promoted.' },
    pipeline: {
      description:
        'Pipeline to execute with the version, in the environment `to`, or else in `environment`. Without it, nothing is executed.',
    },
    tag: { description: 'Execution tag. Default: built from project, environment and pipeline.' },
    'github-token': metaOf(publish.inputs.shape['github-token']),
  },
  outputs: {
    outcome: { description: 'Outcome of the publication.', value: '${{ steps.publish.outputs.outcome }}' },
    version: { description: 'The version name.', value: '${{ steps.publish.outputs.version }}' },
    environment: {
      description: 'The environment that it was published to.',
      value: '${{ steps.publish.outputs.environment }}',
    },
    commit: {
      description: 'The commit that it was published from.',
      value: '${{ steps.publish.outputs.commit }}',
    },
    'manifest-path': {
      description: 'Path of the list of sent files with size and SHA-256, in JSON.',
      value: '${{ steps.publish.outputs.manifest-path }}',
    },
    'shared-outcome': {
      description: 'Outcome of publishing the shared pipelines.',
      value: '${{ steps.publish-shared.outputs.outcome }}',
    },
    'promote-outcome': {
      description: 'Outcome of the promotion; empty if there was none.',
      value: '${{ steps.promote.outputs.outcome }}',
    },
    'run-outcome': {
      description: 'Outcome of the execution; empty if there was none.',
      value: '${{ steps.run.outputs.outcome }}',
    },
    'execution-id': {
      description: 'Id of the execution; empty if there was none.',
      value: '${{ steps.run.outputs.execution-id }}',
    },
    'report-path': {
      description: 'Path of the full report of the publication, in JSON.',
      value: '${{ steps.publish.outputs.report-path }}',
    },
  },
};

/**
 * Installs the engine in its own folder, where no file of the checked-out repository applies, neither a lock file
 * nor settings of npm. npm compares every package with the lock file, and runs no script of a package. Where it
 * fails, the next step reports it.
 */
const installEngine = `folder="$(mktemp -d "$RUNNER_TEMP/millrace-engine-XXXXXX")"
cp "$GITHUB_ACTION_PATH/../test/engine/package.json" "$GITHUB_ACTION_PATH/../test/engine/package-lock.json" "$folder"
cd "$folder"
status=0
npm ci --ignore-scripts --include=optional --prefer-offline --no-audit --no-fund || status=$?
echo "folder=$folder" >> "$GITHUB_OUTPUT"
echo "status=$status" >> "$GITHUB_OUTPUT"
`;

const preparation: Preparation = {
  id: 'install',
  name: 'Install the engine',
  if: "inputs.engine == ''",
  script: installEngine,
};

/** The inputs that a step that runs pipelines gets from the installation. */
const installedEngine = {
  engine: '${{ inputs.engine || steps.install.outputs.folder }}',
  'npm-status': '${{ steps.install.outputs.status }}',
};

/** Whether a pull request is tested too. Expressions compare without regard to case. */
const withTests = "inputs.tests == 'true'";

/** Validates the input `tests`, which no step reads, with the same message as for the inputs of a step. */
const validateTests: Preparation = {
  id: 'validate',
  name: 'Validate the input tests',
  if: "inputs.tests != 'true' && inputs.tests != 'false' && inputs.tests != ''",
  script: `echo '::error title=Millrace%3A usage::The input "tests" must be true or false.%0AHow to fix: See the table of inputs in the README of the action.%0ACode: usage'
echo "outcome=error" >> "$GITHUB_OUTPUT"
exit 2
`,
};

const engineInput = {
  description:
    'Folder whose `node_modules` has the package `@duckdb/node-api` in the version of the lock file, for runners without access to a registry. Name none that a pull request can change. Default: the action installs it.',
};

/** For pull requests and pushes: the tests of pipelines. */
const test: Composite = {
  name: 'test',
  title: 'Millrace test',
  description: runTests.description,
  preparations: [preparation],
  steps: [{ id: 'test', name: 'Test the pipelines', action: runTests, fixedInputs: installedEngine }],
  inputs: { engine: engineInput },
  outputs: passedOn('test', runTests.outputs),
};

/** For pull requests and pushes: what the change does to the data. */
const dataDiff: Composite = {
  name: 'diff',
  title: 'Millrace data diff',
  description: diff.description,
  preparations: [preparation],
  steps: [{ id: 'diff', name: 'Compare the data', action: diff, fixedInputs: installedEngine }],
  inputs: { engine: engineInput },
  outputs: passedOn('diff', diff.outputs),
};

/** For pull requests: the review with every report that the token may make; if asked, the tests and the data diff too. */
const pullRequest: Composite = {
  name: 'pull-request',
  title: 'Millrace pull request',
  description:
    'Reviews a pull request, and reports the result in every way that the token allows; if asked, also tests the pipelines and shows what changes in the data.',
  preparations: [validateTests, { ...preparation, if: `${withTests} && ${preparation.if}` }],
  steps: [
    {
      id: 'review',
      name: 'Review the pipelines',
      action: review,
      fixedInputs: { comment: `\${{ ${withTests} && 'off' || inputs.comment }}` },
    },
    {
      id: 'test',
      name: 'Test the pipelines',
      action: runTests,
      if: `!cancelled() && ${withTests}`,
      fixedInputs: {
        ...installedEngine,
        files: '',
        filter: '',
        jobs: '',
        shard: '',
        durations: '',
        blobs: '${{ inputs.test-blobs }}',
        coverage: 'true',
        compile: 'warn',
      },
    },
    {
      id: 'diff',
      name: 'Compare the data',
      action: diff,
      if: `!cancelled() && ${withTests}`,
      fixedInputs: {
        ...installedEngine,
        files: '',
        filter: '',
        jobs: '',
        'fail-on': 'never',
        affected: 'true',
        comment: 'off',
      },
    },
    {
      id: 'comment',
      name: 'Comment on the pull request',
      action: comment,
      if: `!cancelled() && ${withTests} && inputs.comment != 'off'`,
      fixedInputs: {
        review: '${{ steps.review.outputs.report-path }}',
        test: '${{ steps.test.outputs.report-path }}',
        diff: '${{ steps.diff.outputs.report-path }}',
      },
    },
  ],
  inputs: {
    tests: {
      description:
        'Also run the tests of pipelines, and show what the change does to the data. The comment then has all results, and what the change affects.',
      default: 'false',
    },
    'test-blobs': {
      description:
        'With `tests`: folder with the blobs of all shards, relative to the workspace. The tests have run in the jobs before; the comment has the results of all.',
    },
    comment: metaOf(review.inputs.shape.comment),
    engine: engineInput,
  },
  outputs: {
    ...passedOn('review', review.outputs),
    outcome: {
      description: review.outputs.outcome ?? '',
      value: '${{ steps.validate.outputs.outcome || steps.review.outputs.outcome }}',
    },
    url: {
      description: review.outputs.url ?? '',
      value: '${{ steps.review.outputs.url || steps.comment.outputs.url }}',
    },
    'test-outcome': {
      description: 'Outcome of the tests; empty without `tests`.',
      value: '${{ steps.test.outputs.outcome }}',
    },
    'changed-tables': {
      description: 'Number of tables whose data changes, on the rows of the tests; empty without `tests`.',
      value: '${{ steps.diff.outputs.tables }}',
    },
    'entry-points': {
      description:
        'Number of changed and affected pipelines that no pipeline of the project calls; empty without `tests`.',
      value: '${{ steps.diff.outputs.entry-points }}',
    },
    matrix: {
      description: diff.outputs.matrix ?? '',
      value: '${{ steps.diff.outputs.matrix }}',
    },
    'affected-tests': {
      description: diff.outputs['affected-tests'] ?? '',
      value: '${{ steps.diff.outputs.affected-tests }}',
    },
  },
};

export const composites: readonly Composite[] = [pullRequest, release, test, dataDiff];
