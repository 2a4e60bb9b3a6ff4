import { startDrift } from './index.js';

await startDrift();
