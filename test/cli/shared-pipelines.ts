/** Shares `daily/load` of the environment's project. */
export const sharedPipelines = `version: "1.0"
type: shared-pipelines-config
pipelines:
  - pipeline: daily/load.orch.yaml
    displayName: Load
    id: load-1
    description: Loads
    enabled: true
    parameters: {}
`;
