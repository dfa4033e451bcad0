import { runStages } from './run-stages.ts';
import { quickStages, slowStages } from './stages.ts';

// `npm test`: runs every check, with the setup it needs. `--quick` (npm run check) leaves out
// stages that take longer than a minute; `--all` goes on after a failing stage.
const flags = process.argv.slice(2);
const unknown = flags.filter((flag) => flag !== '--quick' && flag !== '--all');
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(' ')}. There are --quick and --all.\n`);
  process.exitCode = 2;
} else {
  const groups = flags.includes('--quick') ? quickStages() : [...quickStages(), ...slowStages()];
  const passed = await runStages(groups, { goOn: flags.includes('--all'), output: process.stdout });
  process.exitCode = passed ? 0 : 1;
}
