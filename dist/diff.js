import { startDiff } from './index.js';

await startDiff();
