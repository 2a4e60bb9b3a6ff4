import path from 'node:path';
import type { Command } from 'commander';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import {
  answersOfOptions,
  answersOnTerminal,
  type InitOptions,
  optionalParts,
  parseActionsCopy,
  parseEnvironments,
  parseProjectId,
} from '../../init/init-answers.ts';
import type { Survey } from '../../../flows/init/survey.ts';
import type { FirstFiles } from '../../init/plan-first-files.ts';
import type { Questions } from '../../init/questions.ts';
import type { Session } from '../../kit/session.ts';
import { programName } from '../../terminal/program-name.ts';

/** `millrace init`: sets up a repository with pipelines. */
export const addInit: AddCommand = (program, shell) => {
  addOptions(
    defineCommand(program, 'init', 'Set up a repository: settings, rules, baseline, workflows, hook, test.'),
  ).action(
    commandAction<InitOptions>(shell, async (session, options) => {
      if (options.config !== undefined) {
        throw new Failure('usage', {
          message: '`millrace init` writes millrace.yaml. It does not accept another configuration file.',
          where: { input: '--config' },
          hint: 'Remove --config. To choose the folder, give --working-directory.',
        });
      }
      const { canAsk, openQuestions } = await import('../../init/questions.ts');
      const decided = options.yes === true || options.json === true || options.dryRun === true;
      if (decided || optionalParts.some((part) => options[part] === true) || !canAsk(session.io))
        return await initProject(session, options, undefined);
      using questions = openQuestions(session.io);
      return await initProject(session, options, questions);
    }),
  );
};

function addOptions(command: Command): Command {
  return command
    .option('--yes', 'write everything, without questions')
    .option('--workflows', 'write workflows for GitHub: review, test, release')
    .option('--hook', 'write a git hook that reviews what is staged before each commit')
    .option('--baseline', 'record the findings that exist, so that only new ones fail a review')
    .option('--test', 'write a first test of a pipeline')
    .option('--project <id>', 'id of the project on the platform', parseProjectId)
    .option(
      '--environments <names>',
      'environments in the order of promotion, with commas between them',
      parseEnvironments,
    )
    .option(
      '--actions <owner/name@commit>',
      'your copy of Millrace on GitHub, for the workflows',
      parseActionsCopy,
    )
    .option(
      '--warehouse <kind>',
      'kind of warehouse in whose SQL the pipelines are written',
      oneOf(['WAREHOUSE_ONE', 'WAREHOUSE_TWO']),
    )
    .option('--diff', 'print the content of each file, as a diff')
    .option('--dry-run', 'write nothing, and show what would be written');
}

async function initProject(
  session: Session,
  options: InitOptions,
  questions: Questions | undefined,
): Promise<Outcome> {
  const { surveyRepository } = await import('../../../flows/init/survey.ts');
  const { planFirstFiles } = await import('../../init/plan-first-files.ts');
  const { firstFindingLines, foundLines, jsonOfPlan, nextLines, patchLines, planLines, reviewLine } =
    await import('../../init/init-lines.ts');
  const { repository, directory } = await session.repository();
  const { env: environment, signal } = session.io;
  const config = await session.projectConfig(true);
  const survey = await surveyRepository({ repository, directory, config, environment, signal });
  questions?.show([...foundLines(survey), '']);
  const answers = questions === undefined ? answersOfOptions(options) : answersOnTerminal(options, questions);
  const plan = await planFirstFiles(session, survey, { answers, options });
  if (questions !== undefined && !(await confirmPlan(questions, plan))) {
    session.output.result({}, ['Nothing was written.']);
    return 'nothing-to-do';
  }
  const { dryRun = false, diff = false } = options;
  if (!dryRun) await write(plan, survey);
  const outcome = outcomeOf(plan, options);
  const hasTests = survey.tests.length > 0 || plan.files.some(({ part }) => part === 'test');
  session.output.result({ outcome, dryRun, ...jsonOfPlan(survey, plan, { dryRun, withText: diff }) }, [
    ...(questions === undefined
      ? [...foundLines(survey), ...planLines(plan, dryRun ? 'Would write' : 'Wrote')]
      : [`Wrote ${numberOf(plan.files.length, 'file')}.`]),
    reviewLine(plan),
    ...firstFindingLines(plan),
    ...(questions === undefined ? notAskedFor(options, survey, plan) : []),
    ...(diff ? patchLines(plan.files) : []),
    ...(dryRun
      ? []
      : nextLines(plan, {
          hasTests,
          command: programName(session.io),
          packages: packageFiles(survey, plan),
        })),
  ]);
  return outcome;
}

/** Shows what will be written, on request with the content, and asks whether to write it. */
async function confirmPlan(questions: Questions, plan: FirstFiles): Promise<boolean> {
  const { patchLines, planLines } = await import('../../init/init-lines.ts');
  questions.show(['', ...planLines(plan, 'Will write')]);
  if (plan.files.length === 0) return true;
  for (;;) {
    const answer = await questions.ask('Write them? [Y/n, d shows their content] ', (text) => {
      const word = text === '' ? 'y' : text.toLowerCase().slice(0, 1);
      return ['y', 'n', 'd'].includes(word) ? word : new Error('Answer y, n or d.');
    });
    if (answer !== 'd') return answer === 'y';
    questions.show(patchLines(plan.files));
  }
}

async function write({ files }: FirstFiles, { repository, hooks }: Survey): Promise<void> {
  const { writeNewFiles } = await import('../../init/write-new-files.ts');
  await writeNewFiles(files, [repository.root, ...(hooks === undefined ? [] : [path.dirname(hooks)])]);
}

/** `failed` only for a part that the user named and that cannot be written. */
function outcomeOf({ files, left }: FirstFiles, options: InitOptions): Outcome {
  const named = left.some(
    ({ part, exists }) =>
      !exists && ((part === 'test' && options.test === true) || (part === 'hook' && options.hook === true)),
  );
  if (named) return 'failed';
  return files.length > 0 ? 'passed' : 'nothing-to-do';
}

/** What npm wrote, if the packages are new here: without it, nobody else gets them. */
function packageFiles(survey: Survey, { files }: FirstFiles): readonly string[] {
  const { repository, directory, exists, showsPackages } = survey;
  if (!showsPackages || !files.some(({ part }) => part === 'ignore')) return [];
  const names = ['package.json', 'package-lock.json'].map((name) => path.posix.join(directory, name));
  return names.filter((name) => exists(path.join(repository.root, name)));
}

function notAskedFor(options: InitOptions, survey: Survey, { hasBaseline }: FirstFiles): readonly string[] {
  if (options.yes === true) return [];
  const exists = {
    baseline: hasBaseline,
    test: survey.tests.length > 0,
    hook: survey.hookText?.includes('millrace review') === true,
    workflows: survey.workflows.has('review') || survey.workflows.has('pull-request'),
  };
  const rest = optionalParts.filter((part) => options[part] !== true && !exists[part]);
  if (rest.length === 0) return [];
  return [
    `Options not given: ${rest.map((part) => `--${part}`).join(', ')}. With --yes, init writes everything.`,
  ];
}
