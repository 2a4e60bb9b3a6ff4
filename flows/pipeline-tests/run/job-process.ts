import { startJobProcess } from './start-job-process.ts';

await startJobProcess();
