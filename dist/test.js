import { startTest } from './index.js';

await startTest();
