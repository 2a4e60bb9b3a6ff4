/** A small project: two pipelines, a shared one, rules that watch over names. */
export const projectId = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';

/** An orchestration with one working component of this name, on line 10. */
export function orchestration(component: string): string {
  return `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional:
          - "${component}"
    ${component}:
      type: "sql-executor"
      parameters:
        componentName: "${component}"
        sqlScript: "SELECT 1"
      transitions:
        success:
          - "Done"
        failure:
          - "Failed"
    Done:
      type: "end-success"
      parameters:
        componentName: "Done"
    Failed:
      type: "end-failure"
      parameters:
        componentName: "Failed"
`;
}

/** Line of the component of `orchestration`. */
export const componentLine = 10;

export const rules = `rules:
  - id: component-naming-convention
    enabled: true
    enforcementLevel: error
    config:
      regexMatchPattern: "[A-Z][A-Za-z ]*"
`;

export const millraceYaml = `version: 1
project: ${projectId}
environments: [dev, test, prod]
review:
  agent-version: "9.0.0"
release:
  environment: dev
  shared:
    prefix: finance
`;

export const sharedPipelines = `version: "1.0"
type: "shared-pipelines-config"
pipelines:
  - pipeline: "shared/clean up.orch.yaml"
    displayName: "Clean up"
    id: "clean-up"
    description: "Cleans up"
    enabled: true
    parameters: {}
`;

export const warehouseFiles: Readonly<Record<string, string>> = {
  'variables.yaml': 'version: 1\nvariables:\n  day: { type: TEXT, behaviour: SHARED, value: today }\n',
  'daily/load.orch.yaml': orchestration('Load orders'),
  'shared/clean up.orch.yaml': orchestration('Clean up'),
  'sql/orders.sql': 'SELECT 1;\n',
  '.platform/config/pipeline_quality_rules.yaml': rules,
  '.platform/shared-pipelines.yaml': sharedPipelines,
  'millrace.yaml': millraceYaml,
};

/** A transformation with this many components, each with a name that the rules forbid. */
export function manyViolations(count: number): string {
  const components = Array.from(
    { length: count },
    (_, index) => `    bad ${String(index)}:\n      type: "rewrite-table"\n      sources: []\n`,
  );
  return `type: "transformation"\nversion: "1.0"\npipeline:\n  components:\n${components.join('')}`;
}
