import { countFindings, describeCounts } from '../../flows/review/conclude/count-findings.ts';
import type { NewFile } from '../../flows/init/init-part.ts';
import type { Survey } from '../../flows/init/survey.ts';
import { severities } from '../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { shellWord } from '../../lib/core/text/shell-word.ts';
import type { FirstFiles } from './plan-first-files.ts';
import { diffName, quotedName } from '../kit/git/unified-diff.ts';

/** The lines that say what the repository has: project, host, pipelines, tests and what is left out. */
export function foundLines(survey: Survey): readonly string[] {
  const { directory, pipelines, tests, remote, branch, otherProjects, hidden } = survey;
  const count = (kind: string) => pipelines.filter((file) => kindOf(file) === kind).length;
  const [orchestrations, transformations] = [count('orchestration'), count('transformation')];
  const place = directory === '' ? 'the root of the repository' : `the folder ${directory}`;
  const hosted = remote === undefined ? 'no remote' : `${remote.path} on ${remote.host}`;
  return [
    `Project: ${place} (${hosted}, branch ${branch})`,
    `Found: ${numberOf(pipelines.length, 'pipeline')} (${numberOf(orchestrations, 'orchestration')}, ${numberOf(transformations, 'transformation')}), ${numberOf(tests.length, 'test file')}`,
    ...(otherProjects.length === 0
      ? []
      : [`Left out, because they are projects of their own: ${shortList(otherProjects)}`]),
    ...(hidden.length === 0
      ? []
      : [`Left out, because a name in their path begins with a dot: ${shortList(hidden)}`]),
    ...(pipelines.length === 0
      ? [
          'No .orch.yaml or .tran.yaml file was found. If they are elsewhere, start the command in their folder.',
        ]
      : []),
  ];
}

/** The lines that list the files to write, and those that stay as they are. */
export function planLines(
  { files, left }: Pick<FirstFiles, 'files' | 'left'>,
  verb: string,
): readonly string[] {
  const width = Math.max(0, ...[...files, ...left].map((file) => (file.path ?? file.part).length));
  const head = files.length === 0 ? 'Nothing to write.' : `${verb} ${numberOf(files.length, 'file')}:`;
  return [
    head,
    ...files.map(({ path, about }) => `  + ${path.padEnd(width)}  ${about}`),
    ...(left.length === 0 ? [] : ['Left as it is:']),
    ...left.flatMap(({ path, part, reason, exists, hint = [] }) => [
      `  ${exists ? '=' : '-'} ${(path ?? part).padEnd(width)}  ${reason}`,
      ...hint.map((line) => `      ${line}`),
    ]),
  ];
}

/** The line that says what a review finds once the files exist. */
export function reviewLine({ review, hasBaseline }: FirstFiles): string {
  const { findings, broken } = review;
  const count = numberOf(findings.length, 'finding');
  // No baseline records that there is nothing to review.
  const isEmpty = findings.every(({ rule }) => rule === 'millrace/no-pipelines');
  if (findings.length === 0) return `A review finds nothing${hasBaseline ? ' new' : ''}.`;
  if (broken.length > 0)
    return 'A review will fail, because these files could not be evaluated. A baseline cannot record that:';
  if (hasBaseline && !isEmpty)
    return `The baseline records all current findings (${count}), so only new findings fail a review.`;
  const ending = isEmpty ? '' : ' With --baseline, only new findings fail it.';
  return `A review finds ${describeCounts(countFindings(findings))}.${ending}`;
}

/**
 * The lines of the first findings, most severe first, without findings that the baseline has. If some findings
 * cannot be recorded in a baseline, only those.
 */
export function firstFindingLines({
  review: { findings, broken },
}: Pick<FirstFiles, 'review'>): readonly string[] {
  const shown = broken.length > 0 ? broken : findings;
  const sorted = severities.flatMap((severity) => shown.filter((finding) => finding.severity === severity));
  const more = sorted.length > 5 ? [`  and ${sorted.length - 5} more`] : [];
  return [
    ...sorted
      .slice(0, 5)
      .map(({ file, line, severity, message, rule }) => `  ${file}:${line} ${severity} ${message} (${rule})`),
    ...more,
  ];
}

/** The lines that say what the user must do next. */
export function nextLines(
  { files, copyIsUnknown, hasProject, review: { broken } }: FirstFiles,
  {
    hasTests,
    command,
    packages,
  }: { readonly hasTests: boolean; readonly command: string; readonly packages: readonly string[] },
): readonly string[] {
  const workflows = files.filter(({ part }) => part.endsWith('-workflow')).map(({ path }) => path);
  const publishes = files.some(({ part }) => part === 'release-workflow');
  const added = files.length === 0 ? [] : [...packages, ...files.flatMap(inGit)].map(shellWord);
  const hasHook = files.some(({ part }) => part === 'hook');
  const steps = [
    ...(broken.length === 0
      ? []
      : [
          `Correct ${shortList(broken.map(({ file, line }) => `${file}:${line}`))}. Until then, a review fails${hasHook ? ', and the hook refuses the commit' : ''}.`,
        ]),
    ...(copyIsUnknown
      ? [
          `In ${workflows.join(', ')}: replace your-account/millrace and the zeros by your copy of Millrace and the id of one of its commits.`,
        ]
      : []),
    ...(publishes
      ? [
          `On GitHub, under Settings → Secrets and variables → Actions: set the ${hasProject ? 'variable MILLRACE_BASE_URL' : 'variables MILLRACE_BASE_URL and MILLRACE_PROJECT_ID'} and the secret MILLRACE_TOKEN.`,
        ]
      : []),
    ...(added.length === 0 ? [] : [`git add ${added.join(' ')} && git commit -m "Set up Millrace"`]),
    `${command} review --local`,
    ...(hasTests ? [`${command} test`] : []),
  ];
  return ['Next:', ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
}

/** The content of each file as a patch that `git apply` accepts. */
export function patchLines(files: readonly NewFile[]): readonly string[] {
  return files.flatMap(({ path, text, executable }) => {
    const lines = text.replace(/\n$/, '').split('\n');
    return [
      `diff --git ${quotedName(`a/${path}`)} ${quotedName(`b/${path}`)}`,
      `new file mode ${executable ? '100755' : '100644'}`,
      '--- /dev/null',
      `+++ ${diffName(`b/${path}`)}`,
      `@@ -0,0 +1,${lines.length} @@`,
      ...lines.map((line) => `+${line}`),
    ];
  });
}

/** The files as `--json` reports them. */
export function jsonOfPlan(
  { directory, pipelines, tests, branch, otherProjects }: Survey,
  { files, left, review }: FirstFiles,
  { dryRun, withText }: { readonly dryRun: boolean; readonly withText: boolean },
) {
  return {
    directory,
    found: { pipelines, tests, otherProjects, branch, findings: review.findings.length },
    files: files.map(({ part, path, about, executable, text }) => ({
      part,
      path,
      about,
      executable,
      written: !dryRun,
      ...(withText ? { text } : {}),
    })),
    left: left.map((file) => ({ ...file, hint: file.hint ?? [] })),
  };
}

/** Git does not store a hook. */
const inGit = ({ part, path }: NewFile): readonly string[] => (part === 'hook' ? [] : [path]);

function shortList(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).join(', ')}${more}`;
}
