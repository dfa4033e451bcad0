import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { buildWhenStale } from '#server/process/build.ts';
import { acquirers } from './acquirers/scenario.ts';
import { startAcquirers } from './acquirers/stand-ins.ts';
import { FaultyGateway } from './gateway.ts';
import { type RefundsSize, refunds } from './refunds/scenario.ts';
import { REPLICAS, replicas } from './replicas.ts';
import { type Figures, toTable } from './report.ts';
import { endTogether, lostAnswers, oneHangs } from './scenarios.ts';
import { type StormSize, storm } from './storm.ts';

type Size = {
  storm: StormSize;
  acquirers: StormSize;
  refunds: RefundsSize;
  cuts: number;
  together: number;
  hanging: { merchants: number; each: number; p95LimitMs: number };
  /** The number of invoices at each kill, and the kills after which the contract suite runs. */
  replicas: { each: number; suiteAfter: readonly string[] };
};

const FULL: Size = {
  storm: { invoices: 5_000, kills: 20, databaseCrashes: 5 },
  acquirers: { invoices: 400, kills: 12, databaseCrashes: 3 },
  refunds: { invoices: 240, kills: 12, cuts: 40, crashes: 3 },
  cuts: 200,
  together: 2_000,
  hanging: { merchants: 20, each: 50, p95LimitMs: 2_000 },
  replicas: { each: 400, suiteAfter: REPLICAS },
};
const SHORT: Size = {
  storm: { invoices: 400, kills: 3, databaseCrashes: 1 },
  acquirers: { invoices: 40, kills: 2, databaseCrashes: 1 },
  refunds: { invoices: 24, kills: 1, cuts: 3, crashes: 1 },
  cuts: 20,
  together: 300,
  // Within npm test the machine may be busy or stall; a merchant that had to wait for the hanging
  // one would wait ten seconds.
  hanging: { merchants: 8, each: 15, p95LimitMs: 9_000 },
  replicas: { each: 40, suiteAfter: ['web A'] },
};

const SCENARIOS = [
  'storm',
  'acquirers',
  'refunds',
  'lost-answers',
  'end-together',
  'one-hangs',
  'replicas',
] as const;

function parseSeed(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a number of at most ten digits.');
}

const flags = new Command('npm run test:faults --')
  .option('--short', 'about three minutes, as within npm test', false)
  .addOption(new Option('--only <scenario>', 'one alone').choices(SCENARIOS))
  .option('--seed <number>', 'repeats the choices of the run that printed it', parseSeed)
  .addOption(
    new Option(
      '--coalesce <mode>',
      'whether requests share statements (default: by the seed)',
    ).choices(['on', 'off']),
  )
  .parse()
  .opts<{ short: boolean; only?: string; seed?: number; coalesce?: 'on' | 'off' }>();
const seed = flags.seed ?? randomBytes(4).readUInt32BE();
// Both settings have to survive the same faults: the seed chooses one, unless a flag does.
const coalesce = flags.coalesce ?? (seed % 2 === 0 ? 'off' : 'on');
const size = flags.short ? SHORT : FULL;

// This process makes merchants, and the others read their secrets.
process.env.SECRETS_KEY ??= randomBytes(32).toString('base64');

await buildWhenStale();
process.stdout.write(
  `fault suite, seed ${seed} (--seed ${seed} repeats its choices), shared statements ${coalesce}\n`,
);
const standIns = await startAcquirers();
const settings = Object.assign({}, ...standIns.map((each) => each.settings));
const gateway = new FaultyGateway({ coalesce, settings });
const results: Figures[] = [];
try {
  await gateway.start();
  gateway.startPart('web');
  gateway.startPart('worker');
  await gateway.untilHealthy();
  const scenarios: [(typeof SCENARIOS)[number], () => Promise<Figures>][] = [
    ['storm', () => storm(gateway, size.storm, seed)],
    ['acquirers', () => acquirers(gateway, size.acquirers, { seed, acquirers: standIns })],
    ['refunds', () => refunds(gateway, size.refunds, { seed, acquirers: standIns })],
    ['lost-answers', () => lostAnswers(gateway, size.cuts)],
    ['end-together', () => endTogether(gateway, size.together)],
    ['one-hangs', () => oneHangs(gateway, size.hanging)],
    // This is last, because it ends the single web and worker that the others use.
    ['replicas', () => replicas(gateway, size.replicas)],
  ];
  const chosen = scenarios.filter(([name]) => (flags.only ?? name) === name);
  for (const [name, scenario] of chosen) {
    const startMs = Date.now();
    let endedBy: unknown = null;
    const result = await scenario().catch((error: unknown): Figures => {
      endedBy = error;
      return { title: name, findings: [[`it came to its end: ${error}`, false]], figures: {} };
    });
    results.push(result);
    const seconds = ((Date.now() - startMs) / 1000).toFixed(0);
    process.stdout.write(`\n${result.title} (${seconds} s)\n`);
    for (const [sentence, holds] of result.findings) {
      process.stdout.write(`  ${holds ? '✓' : '✗'} ${sentence}\n`);
    }
    // The next scenario cannot begin with what is left of the gateway.
    if (endedBy !== null) break;
  }
} finally {
  await gateway.stop();
  await Promise.all(standIns.map(({ close }) => close()));
}
process.stdout.write(`\n${toTable(results)}\n\n`);
const findings = results.flatMap((result) => result.findings);
const failed = findings.filter(([, holds]) => !holds).length;
process.stdout.write(`faults: ${findings.length - failed} passed, ${failed} failed\n`);
// Work begun by a scenario that ended early is not waited for.
process.exit(failed === 0 ? 0 : 1);
