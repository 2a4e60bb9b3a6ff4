import type { NewCheck } from '../endpoints/checks.ts';
import { type CheckContent, checkTime } from '../endpoints/check-content.ts';
import { deploymentText, type DeploymentStatus } from '../endpoints/deployments.ts';

/** The content of a check run, in the form of the inputs of `createCheckRun` and `updateCheckRun`. */
export function checkInput(content: CheckContent): object {
  const { status, conclusion, startedAt, completedAt, title, summary, text, actions } = content;
  return {
    status: status.toUpperCase(),
    ...(conclusion === undefined ? {} : { conclusion: conclusion.toUpperCase() }),
    ...(startedAt === undefined ? {} : { startedAt: checkTime(startedAt) }),
    ...(completedAt === undefined ? {} : { completedAt: checkTime(completedAt) }),
    ...(actions === undefined ? {} : { actions: [...actions] }),
    output: { title, summary, ...(text === undefined ? {} : { text }) },
  };
}

/** The input of `createCheckRun`, without the repository. */
export function newCheckInput(check: NewCheck): object {
  const { commit, name, externalId, detailsUrl } = check;
  return {
    headSha: commit,
    name,
    externalId,
    ...(detailsUrl === undefined ? {} : { detailsUrl }),
    ...checkInput(check),
  };
}

/** The input of `createDeploymentStatus`, without the deployment. */
export function statusInput(status: DeploymentStatus): object {
  const { state, description, logUrl, environmentUrl, closesPrior } = status;
  return {
    state: state.toUpperCase(),
    description: deploymentText(description),
    ...(closesPrior === undefined ? {} : { autoInactive: closesPrior }),
    ...(logUrl === undefined ? {} : { logUrl }),
    ...(environmentUrl === undefined ? {} : { environmentUrl }),
  };
}
