import { type FirstReview, firstReview } from '../../flows/init/first-review.ts';
import type { LeftPart, NewFile } from '../../flows/init/init-part.ts';
import { fileOf, planAutomation, planOf, planProject } from '../../flows/init/plan-init.ts';
import type { Survey } from '../../flows/init/survey.ts';
import { unknownCopy } from '../../flows/init/workflow-text.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { InitAnswers, InitOptions } from './init-answers.ts';
import { planFirstTest } from './plan-first-test.ts';
import type { Session } from '../kit/session.ts';

/** Everything that `millrace init` will write, and the files that it will leave as they are. */
export interface FirstFiles {
  readonly files: readonly NewFile[];
  readonly left: readonly LeftPart[];
  readonly review: FirstReview;
  /** Whether a baseline is written or exists already. */
  readonly hasBaseline: boolean;
  /** Whether the workflows name a copy of the actions that the user has to replace. */
  readonly copyIsUnknown: boolean;
  /** Whether `millrace.yaml` has the id of the project. */
  readonly hasProject: boolean;
}

/** Decides with the user's answers what is written. Throws Failure 'git-failed' and 'config-invalid'. */
export async function planFirstFiles(
  session: Session,
  survey: Survey,
  { answers, options }: { readonly answers: InitAnswers; readonly options: InitOptions },
): Promise<FirstFiles> {
  const hasSettings = survey.exists(`${survey.repository.root}/${settingsPath(survey)}`);
  const project = hasSettings ? undefined : await answers.project();
  const environments = hasSettings ? [] : await answers.environments();
  const warehouse = options.warehouse ?? survey.config.engine.warehouse;
  const choices = { project, environments, warehouse: options.warehouse, workflows: false, hook: false };
  const base = planProject(survey, choices);
  const review = await firstReview(survey, base.files, session.flow);
  const baseline = await planBaseline(survey, review, answers);
  const test =
    survey.pipelines.length > 0 &&
    (survey.tests.length > 0 || (await answers.wants('test', 'Write a first test of a pipeline?')))
      ? [await planFirstTest(session, survey, warehouse)]
      : [];
  const hook = await answers.wants('hook', 'Review what is staged before each commit (git hook)?');
  const workflows = await answers.wants('workflows', 'Write workflows for GitHub?');
  const actions = workflows ? await answers.actions() : undefined;
  const tested = planOf(test);
  const hasTests = tested.files.length > 0 || survey.tests.length > 0;
  const automation = planAutomation(survey, { ...choices, workflows, hook, actions }, hasTests);
  const plans = [base, baseline, tested, automation];
  return {
    files: plans.flatMap(({ files }) => files),
    left: plans.flatMap(({ left }) => left),
    review,
    hasBaseline: [...baseline.files, ...baseline.left].some((file) => 'text' in file || file.exists),
    copyIsUnknown: automation.files.some(({ text }) => text.includes(`@${unknownCopy.commit}`)),
    hasProject: (project ?? survey.config.project) !== undefined,
  };
}

async function planBaseline(
  survey: Survey,
  { recorded, baseline, baselineText }: FirstReview,
  answers: InitAnswers,
) {
  const count = numberOf(recorded, 'finding');
  const planned = fileOf(survey, 'baseline', baseline, {
    text: baselineText,
    about: `baseline with ${count}`,
  });
  // An existing baseline has its findings already.
  if ('exists' in planned) return planOf([planned]);
  if (recorded === 0) return planOf([]);
  const question = `A review finds ${count}. Record what exists, so that only new findings fail a review?`;
  return planOf((await answers.wants('baseline', question)) ? [planned] : []);
}

function settingsPath({ directory }: Survey): string {
  return directory === '' ? 'millrace.yaml' : `${directory}/millrace.yaml`;
}
