// `npm run bench [-- rest delivery …] [--quick] [--profile] [--chart]`: runs all or the named
// benchmarks one after the other, and finally prints one table of all figures.
import { type ChildProcess, fork } from 'node:child_process';
import { WORKER_FLAGS } from '../server/worker/flags.ts';
import { shareServer } from './database.ts';
import { isProfiled, PROFILES, profileFlags } from './profile.ts';
import { isMet, say, type Verdict, verdictTable } from './verdicts.ts';

const BENCHMARKS = [
  'rest',
  'delivery',
  'expiry',
  'burst',
  'hooks',
  'refund',
  'event-log',
  'size',
  'lists',
  'reading',
  'memory',
  'loop',
  'start',
];
const OPTIONS = ['--quick', '--profile', '--chart', '--finding', '--rows'];
const USAGE = `npm run bench [-- NAME … OPTION …]

NAMEs: ${BENCHMARKS.join(', ')}; without one, all of them, about a quarter of an hour.
  --quick     all are smaller: under two minutes
  --profile   writes processor profiles of the gateway's processes to bench/results/profiles
  --chart     draws the picture of the README (rest)
  --finding   searches of the staff alone (reading)
  --rows N    invoices in the table (lists, reading)`;

/** The named benchmarks; ends the process at an unknown word. */
function chosen(): string[] {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    say(USAGE);
    process.exit(0);
  }
  const odd = process.argv.slice(2).find((word) => /^-/.test(word) && !OPTIONS.includes(word));
  if (odd !== undefined) {
    say(`There is no option "${odd}".\n\n${USAGE}`);
    process.exit(2);
  }
  const names = process.argv.slice(2).filter((argument) => /^[a-z]/.test(argument));
  const unknown = names.find((name) => !BENCHMARKS.includes(name));
  if (unknown === undefined) return names.length > 0 ? names : BENCHMARKS;
  say(`There is no benchmark "${unknown}". There are: ${BENCHMARKS.join(', ')}.`);
  process.exit(2);
}

let running: ChildProcess | null = null;

/** Each runs in a separate process, so that none inherits another's heap. */
function run(name: string): Promise<Verdict[]> {
  // A number belongs to the preceding option.
  const options = process.argv.slice(2).filter((argument) => /^[-\d]/.test(argument));
  const file = new URL(`./${name}.ts`, import.meta.url);
  // These benchmarks themselves send what is compared with a worker's sending.
  const flags = ['delivery', 'burst'].includes(name) ? [...WORKER_FLAGS] : [];
  // The worker's sending happens in that process.
  if (name === 'delivery') flags.push(...profileFlags(name));
  const child = fork(file, options, { execArgv: [...flags, '--import', 'tsx'] });
  running = child;
  let verdicts: Verdict[] | null = null;
  child.on('message', (message) => {
    verdicts = message as Verdict[];
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => {
      if (verdicts === null) reject(new Error(`The benchmark "${name}" ended with code ${code}.`));
      else resolve(verdicts);
    });
  });
}

const verdicts: Verdict[] = [];
const names = chosen();
// A signal ends the running benchmark, and then its PostgreSQL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    names.length = 0;
    running?.kill();
  });
}
const endServer = await shareServer();
try {
  for (const name of names) {
    say(`\n── ${name} ──`);
    verdicts.push(...(await run(name)));
  }
} finally {
  await endServer();
}
say(`\n${verdictTable(verdicts)}`);
if (isProfiled) say(`\nprofiles for a browser's tools: ${PROFILES}`);
if (!verdicts.every(isMet)) process.exitCode = 1;
