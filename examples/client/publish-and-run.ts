import { glob } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, diskFile, OutcomeUnknown, VersionDisabled } from '../../client/index.ts';

// node publish-and-run.ts FOLDER VERSION PIPELINE

const [folder = '.', versionName = '', pipelineName = ''] = process.argv.slice(2);
const { MILLRACE_BASE_URL = '', MILLRACE_TOKEN = '', MILLRACE_PROJECT_ID: projectId = '' } = process.env;

// Closes the client at the end of the program, also after an error.
await using client = createClient({ baseUrl: MILLRACE_BASE_URL, auth: { token: MILLRACE_TOKEN } });

try {
  for await (const { name } of client.environments.list({ projectId })) console.log(`environment ${name}`);

  const names: string[] = [];
  for await (const name of glob('**/*.{orch.yaml,tran.yaml,sql,py}', { cwd: folder })) names.push(name);
  const created = await client.artifacts.create(
    {
      projectId,
      versionName,
      environmentName: 'dev',
      commitHash: '0'.repeat(40),
      files: await Promise.all(names.map((name) => diskFile(folder, name))),
    },
    { onProgress: (sent, total) => process.stderr.write(`\r${Math.floor((100 * sent) / total)} %`) },
  );
  console.log(
    `published ${versionName}: ${names.length} files, ${created?.ignoredResources?.length ?? 0} ignored`,
  );

  const { pipelineExecutionId } = await client.executions.start({
    projectId,
    pipelineName,
    environmentName: 'dev',
    versionName,
    executionTag: `example-${versionName}`,
  });
  for (;;) {
    const { result } = await client.executions.get({ projectId, pipelineExecutionId });
    if (result.finishedAt != null) {
      console.log(`${pipelineName} ended: ${result.status}`);
      break;
    }
    await delay(500);
  }
} catch (error) {
  if (error instanceof OutcomeUnknown) {
    // The request may have taken effect. Do not send it again before you have looked at what the error names.
    console.error(`${error.message}\nLook for request ${error.requestId} on the platform.`);
    process.exitCode = 4;
  } else if (error instanceof VersionDisabled) {
    console.error(`${versionName} was disabled by a person.`);
    process.exitCode = 1;
  } else throw error;
}
