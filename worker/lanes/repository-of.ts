/** GitHub's id of the repository that a lane belongs to: the first part of the lane's id. */
export function repositoryOf(laneId: string): number {
  return Number(laneId.split('/')[0]);
}
