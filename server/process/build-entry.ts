import { buildWhenStale } from './build.ts';
import { createSteps } from './steps.ts';

// `npm run build`: for images, and for servers that are built once and started often.
const steps = createSteps(process.stderr);
try {
  await steps.run('production build', () => buildWhenStale());
} catch (error) {
  steps.say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
