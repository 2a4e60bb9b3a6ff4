import path from 'node:path';
import { rulesFilePath } from '../../lib/pipelines/rules-file.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';
import { hookCommand, hookText, preCommitEntry } from './hook-text.ts';
import type { InitPart, LeftPart, NewFile } from './init-part.ts';
import { firstRuleCount, rulesText } from './rules-text.ts';
import { settingsText } from './settings-text.ts';
import type { Survey } from './survey.ts';
import {
  type ActionsCopy,
  releaseWorkflow,
  reviewWorkflow,
  slugOf,
  testWorkflow,
  unknownCopy,
  type WorkflowChoices,
} from './workflow-text.ts';

export interface InitChoices {
  readonly project?: string | undefined;
  readonly environments: readonly string[];
  readonly warehouse?: string | undefined;
  readonly workflows: boolean;
  readonly actions?: ActionsCopy | undefined;
  readonly hook: boolean;
}

/** Files to write, and parts that are left as they are. */
export interface InitPlan {
  readonly files: readonly NewFile[];
  readonly left: readonly LeftPart[];
}

/** One part: a file to write, or the reason why there is none. */
type Planned = NewFile | LeftPart;

/** Plans the settings and the rules file, which every project has. */
export function planProject(survey: Survey, choices: InitChoices): InitPlan {
  const { directory, config, rulesFile, schema } = survey;
  const settings = fileOf(survey, 'settings', inRepository(directory, 'millrace.yaml'), {
    text: settingsText({ ...choices, schema }),
    about: 'settings of the project',
  });
  const rules =
    rulesFile === undefined
      ? fileOf(survey, 'rules', inRepository(directory, rulesFilePath(config.configDir)), {
          text: rulesText(),
          about: `rules file with ${firstRuleCount} rules`,
        })
      : existing('rules', rulesFile);
  return planOf([settings, rules, ...planIgnore(survey), ...planPackage(survey)]);
}

/** `.gitignore`, if git would show installed packages, or the file with tokens that the local platform writes. */
function planIgnore({ showsPackages, ignoresEnvFile, ...survey }: Survey): readonly Planned[] {
  const lines = [...(showsPackages ? ['node_modules/'] : []), ...(ignoresEnvFile ? [] : ['.env.local'])];
  if (lines.length === 0) return [];
  const planned = fileOf(survey, 'ignore', inRepository(survey.directory, '.gitignore'), {
    text: `${lines.join('\n')}\n`,
    about: `keeps ${[...(showsPackages ? ['the installed packages'] : []), ...(ignoresEnvFile ? [] : ['tokens of the local platform'])].join(' and ')} out of git`,
  });
  if ('text' in planned) return [planned];
  const tracked = 'If it has the line, git tracks the packages: git rm -r -q --cached node_modules';
  const hint = [...lines.map((line) => `Add this line to it: ${line}`), ...(showsPackages ? [tracked] : [])];
  return [{ ...planned, exists: false, hint }];
}

/** A path that only this machine has would break `npm ci` for everybody else. */
function planPackage({ packageElsewhere, directory }: Survey): readonly Planned[] {
  if (packageElsewhere === undefined) return [];
  const name = path.posix.basename(packageElsewhere);
  return [
    {
      part: 'package',
      path: inRepository(directory, 'package.json'),
      reason: `gets Millrace from ${packageElsewhere}, outside of the repository: \`npm ci\` fails for everybody else`,
      exists: false,
      hint: [
        'Keep the file in the repository, and commit it (or install the address of a release: docs/install.md):',
        `mkdir -p vendor && cp ${shellWord(packageElsewhere)} vendor/ && npm install --save-dev ${shellWord(`./vendor/${name}`)}`,
      ],
    },
  ];
}

/**
 * Plans the hook and the workflows. The workflow for tests is only planned if there are tests, because it fails
 * without one.
 */
export function planAutomation(survey: Survey, choices: InitChoices, hasTests: boolean): InitPlan {
  return planOf([
    ...(choices.hook ? [planHook(survey)] : []),
    ...(choices.workflows ? planWorkflows(survey, choices, hasTests) : []),
  ]);
}

function planHook(survey: Survey): Planned {
  const { directory, hooks, hookText: existingHook, repository, usesPreCommit, schema } = survey;
  // Other hooks do not look into node_modules. In a subfolder, npx would not find the package from the top.
  const start = `${schema !== undefined && directory === '' ? 'npx ' : ''}${hookCommand(directory)}`;
  if (usesPreCommit) {
    return {
      part: 'hook',
      reason: 'the repository uses pre-commit',
      exists: false,
      hint: ['Add this to repos in .pre-commit-config.yaml:', ...preCommitEntry(start)],
    };
  }
  if (hooks === undefined) {
    return {
      part: 'hook',
      reason: 'core.hooksPath leads to a folder outside of the repository, which other repositories share',
      exists: false,
      hint: [`Start this command in your hook: ${start}`],
    };
  }
  const relative = path.relative(repository.root, path.join(hooks, 'pre-commit')).split(path.sep).join('/');
  if (existingHook !== undefined && !existingHook.includes('millrace review')) {
    return {
      part: 'hook',
      path: relative,
      reason: 'exists already, without a review',
      exists: false,
      hint: [`Start this command in your hook: ${start}`],
    };
  }
  return fileOf(survey, 'hook', relative, {
    text: hookText(directory),
    about: 'git hook that reviews what is staged',
    executable: true,
  });
}

function planWorkflows(
  survey: Survey,
  { actions = unknownCopy, project, environments }: InitChoices,
  hasTests: boolean,
): readonly Planned[] {
  const { directory, branch, config, workflows, testingWorkflows } = survey;
  const hasProject = (project ?? config.project) !== undefined;
  const choices: WorkflowChoices = { directory, branch, actions, hasProject };
  const ending = directory === '' ? '' : `-${slugOf(directory)}`;
  const plan = (part: InitPart, name: string, used: readonly string[], text: string, about: string) => {
    const user = used.flatMap((action) => workflows.get(action) ?? [])[0];
    // A repository of several projects has a workflow for each.
    if (user !== undefined && directory === '') return existing(part, user);
    return fileOf(survey, part, `.github/workflows/millrace-${name}${ending}.yml`, { text, about });
  };
  const testWorkflowOf = (written: Planned): readonly Planned[] => {
    if (!hasTests) return [left('test-workflow', 'there is no test yet, and the workflow fails without one')];
    // The workflow of the review runs the tests too.
    if ('text' in written || (written.path !== undefined && testingWorkflows.has(written.path))) return [];
    return [
      plan('test-workflow', 'test', ['test'], testWorkflow(choices), 'runs the tests on pull requests'),
    ];
  };
  const canRelease = config.release.environment !== undefined || environments.length > 0;
  const review = plan(
    'review-workflow',
    'review',
    ['review', 'pull-request'],
    reviewWorkflow({ ...choices, hasTests: hasTests && !workflows.has('test') }),
    hasTests
      ? 'reviews and tests pull requests, and shows what changes in the data'
      : 'reviews pull requests',
  );
  return [
    review,
    ...testWorkflowOf(review),
    canRelease
      ? plan(
          'release-workflow',
          'release',
          ['release', 'publish'],
          releaseWorkflow(choices),
          'publishes a tag',
        )
      : left('release-workflow', 'the environments are not known', [
          'Add --environments with their names, such as --environments dev,test,prod.',
        ]),
  ];
}

function left(part: InitPart, reason: string, hint?: readonly string[]): LeftPart {
  return { part, reason, exists: false, ...(hint === undefined ? {} : { hint }) };
}

function existing(part: InitPart, file: string): LeftPart {
  return { part, path: file, reason: 'exists already', exists: true };
}

/** A file to write; or a part that is left as it is, if something exists at its path. */
export function fileOf(
  { repository, exists }: Pick<Survey, 'repository' | 'exists'>,
  part: InitPart,
  file: string,
  content: { readonly text: string; readonly about: string; readonly executable?: boolean },
): Planned {
  const location = path.resolve(repository.root, file);
  if (exists(location)) return existing(part, file);
  return { part, location, path: file, executable: false, ...content };
}

export function planOf(planned: readonly Planned[]): InitPlan {
  return {
    files: planned.filter((part) => 'text' in part),
    left: planned.filter((part) => 'reason' in part),
  };
}
