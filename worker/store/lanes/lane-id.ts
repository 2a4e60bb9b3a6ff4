/** GitHub's id of the repository that a lane belongs to: the first part of the lane's id. */
export function repositoryOf(laneId: string): number {
  return Number(laneId.split('/')[0]);
}

/** The lane's name in millrace.yaml: the last part of its id. */
export function nameOf(laneId: string): string {
  return laneId.slice(laneId.lastIndexOf('/') + 1);
}
