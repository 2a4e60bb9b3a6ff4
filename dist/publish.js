import { startPublish } from './index.js';

await startPublish();
