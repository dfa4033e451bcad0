import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startEmbedded } from '../process/embedded-postgres/embedded.ts';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import { WORKER_FLAGS } from '../worker/flags.ts';
import { readSources } from './imports.ts';

// Compares the deployment files with the gateway's code; no Docker daemon is needed.

const read = (file: string) => readFileSync(file, 'utf8');
const DOCKERFILE = read('public/operating/Dockerfile');
const COMPOSE = read('public/operating/compose.yaml');
const UNITS = ['web', 'worker'].map((kind) =>
  read(`public/operating/systemd/payment-gateway-${kind}@.service`),
);
const EXAMPLE = read('public/operating/example.env');

const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '');
/** The settings that we read, and those that Inngest's SDK and Node read themselves. */
const KNOWN = new Set([
  ...namesIn(read('server/settings/settings.ts'), /'([A-Z][A-Z_]{3,})'/g),
  'NODE_ENV',
  'NEXT_TELEMETRY_DISABLED',
  'INNGEST_BASE_URL',
]);
const OF_OTHERS = /^(POSTGRES_|INNGEST_POSTGRES_|INNGEST_REDIS_)/;

const unknown = (names: string[]) =>
  names.filter((name) => !KNOWN.has(name) && !OF_OTHERS.test(name));

const SET_IN_UNIT = /^(?:Environment=|ExecStart=\/usr\/bin\/env )([A-Z][A-Z_]+)=/gm;

const settingsOf: [string, string[]][] = [
  ['compose.yaml', namesIn(COMPOSE, /^ {4,6}([A-Z][A-Z_]+):/gm)],
  ['example.env', namesIn(EXAMPLE, /^([A-Z][A-Z_]+)=/gm)],
  ['Dockerfile', namesIn(DOCKERFILE, /^(?:ENV|RUN)? +([A-Z][A-Z_]+)=/gm)],
  ['the systemd units', UNITS.flatMap((unit) => namesIn(unit, SET_IN_UNIT))],
];

describe('every setting that is named is one that is read', () => {
  it.each(settingsOf)('%s', (_, names) => {
    expect(names.length).toBeGreaterThan(1);
    expect(unknown(names)).toEqual([]);
  });
});

it('what compose.yaml demands of the environment stands in example.env, and nothing else does', () => {
  const demanded = new Set(namesIn(COMPOSE, /\$\{([A-Z_]+):\?\}/g));
  const given = new Set(namesIn(EXAMPLE, /^([A-Z][A-Z_]+)=/gm));
  // It has a default in compose.yaml and none in the units.
  given.delete('TRUSTED_PROXY_HOPS');
  expect([...demanded].sort()).toEqual([...given].sort());
});

it('callers behind the proxy are told apart, however the gateway is run', () => {
  expect(EXAMPLE).toMatch(/^TRUSTED_PROXY_HOPS=1$/m);
  const ofUnits = EXAMPLE.match(/For systemd: copy to (\S+) /)?.[1];
  for (const unit of UNITS) expect(namesIn(unit, /^EnvironmentFile=(.+)$/gm)).toEqual([ofUnits]);
  expect(COMPOSE).toMatch(/ TRUSTED_PROXY_HOPS: \$\{TRUSTED_PROXY_HOPS:-1\}$/m);
  expect(read('public/operating/operating.md')).toContain('TRUSTED_PROXY_HOPS');
});

it('no setting of the file takes the place of what systemd names a unit by', () => {
  // EnvironmentFile= overrides Environment= wherever either is written.
  const own = UNITS.map((unit) => namesIn(unit, /^(.*=%i.*)$/gm));
  expect(own).toEqual([
    [expect.stringMatching(/^ExecStart=\/usr\/bin\/env PORT=%i \/usr\/bin\/node /)],
    [expect.stringMatching(/^ExecStart=\/usr\/bin\/env METRICS_PORT=%i \/usr\/bin\/node /)],
  ]);
  expect(EXAMPLE).toContain('for systemd all but DATA_DIR');
  for (const unit of UNITS) expect(unit).toMatch(/^Environment=DATA_DIR=/m);
});

it('every command that is run exists', () => {
  const commands = read('server/bootstrap.js');
  const started = [DOCKERFILE, COMPOSE, ...UNITS].flatMap((text) => [
    ...namesIn(text, /"server\/bootstrap\.js", "([\w-]+)"/g),
    ...namesIn(text, /server\/bootstrap\.js ([\w-]+)$/gm),
  ]);
  expect(new Set(started)).toEqual(new Set(['web', 'migrate', 'worker']));
  for (const name of started) expect(commands).toMatch(new RegExp(`^ {2}${name}: \\{ entry`, 'm'));
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of namesIn(DOCKERFILE, /npm run ([\w:-]+)/g))
    expect(scripts).toHaveProperty(name);
});

it.each([
  ['compose.yaml', COMPOSE],
  ['its systemd unit', UNITS[1] ?? ''],
  ['npm run worker', read('package.json')],
])('a worker of %s is run with the flags of one of npm start', (_, text) => {
  const words = text.replaceAll(/[",]/g, '');
  expect(words).toContain(`node ${WORKER_FLAGS.join(' ')} server/bootstrap.js worker`);
});

it.each([
  ['web', 'PORT'],
  ['worker', 'METRICS_PORT'],
])(
  'the health check of %s in compose.yaml asks where it listens, whatever .env says',
  (kind, setting) => {
    const { services } = parse(COMPOSE, { merge: true }) as Compose;
    const { environment, healthcheck } = services[kind] ?? {};
    expect(environment).toMatchObject({ HOST: '', [setting]: expect.any(String) });
    expect(healthcheck?.test.at(-1)).toContain(`http://127.0.0.1:${environment?.[setting]}/`);
  },
);

it('a PostgreSQL of compose.yaml is healthy once it answers where the others call it', () => {
  const { services } = parse(COMPOSE, { merge: true }) as Compose;
  const databases = Object.values(services).filter(({ image }) => image?.startsWith('postgres:'));
  expect(databases).toHaveLength(2);
  for (const { healthcheck } of databases)
    expect(healthcheck?.test.join(' ')).toMatch(/^CMD pg_isready -h 127\.0\.0\.1 /);
});

it('no service of compose.yaml fills the disk with its log', () => {
  const { services } = parse(COMPOSE, { merge: true }) as Compose;
  expect(Object.keys(services).length).toBeGreaterThan(6);
  for (const [name, { logging }] of Object.entries(services)) {
    expect(logging?.options, name).toMatchObject({ 'max-size': expect.stringMatching(/^\d+m$/) });
  }
});

it('every service that compose.yaml waits for is one of its own', () => {
  const services = COMPOSE.slice(COMPOSE.indexOf('\nservices:'), COMPOSE.indexOf('\nvolumes:'));
  const own = new Set(namesIn(services, /^ {2}([\w-]+):$/gm));
  const waited = namesIn(services, /^ {6}([\w-]+): \{ condition/gm);
  expect(waited.length).toBeGreaterThan(4);
  expect(waited.filter((name) => !own.has(name))).toEqual([]);
});

const GLOBS: { [part: string]: string } = { '**/': '(.*/)?', '*': '[^/]*', '.': '\\.' };
const LEFT_OUT = read('public/operating/Dockerfile.dockerignore')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const glob = line.replace(/^!/, '').replaceAll(/\*\*\/|[*.]/g, (part) => GLOBS[part] ?? part);
    return { isKept: line.startsWith('!'), pattern: new RegExp(`^${glob}(/|$)`) };
  });

/** Whether Docker leaves a path of the project out of the build: the last matching line decides. */
function isLeftOut(path: string): boolean {
  const line = LEFT_OUT.findLast(({ pattern }) => pattern.test(path));
  return line !== undefined && !line.isKept;
}

it('no key and no data of a developer’s machine come into the image', () => {
  const made = ['.data/secrets.key', '.git/config', '.next/cache', 'node_modules/next'];
  const ofExamples = ['examples/express/node_modules/express'];
  // compose.yaml reads its settings from a file in the folder that the image is built from.
  const beside = ['.env', '.env.old', 'production.env', 'compose.override.yaml', 'key.pem'];
  const settings = ['.env', '.env.local', ...beside.map((name) => `public/operating/${name}`)];
  expect([...made, ...ofExamples, ...settings].filter((path) => !isLeftOut(path))).toEqual([]);
  // A page of the documentation shows it.
  const needed = ['public/operating/operating.md', 'server/settings/settings.ts', 'package.json'];
  expect(needed.filter(isLeftOut)).toEqual([]);
  expect(DOCKERFILE).toMatch(/DATA_DIR=\/tmp\/\S+ npm run build/);
});

it('a builder that does not heed the Dockerfile’s own ignore file ends before it copies a key', () => {
  const [before = ''] = DOCKERFILE.split('\nCOPY . ', 1);
  expect(before).toMatch(/^RUN --mount=/m);
});

it('no settings come into the repository', () => {
  expect(read('.gitignore').split('\n')).toContain('.env');
});

/** The files that a COPY of the build takes from the project. */
const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
  sources.split(/\s+/),
);

it('everything that the Dockerfile copies is there and not left out', () => {
  expect(copied).toEqual(['package.json', 'package-lock.json', '.']);
  expect(copied.filter((file) => !existsSync(file))).toEqual([]);
  // Files copied from the build come from the path where the build puts them.
  const [workdir] = namesIn(DOCKERFILE, /^WORKDIR (\S+)$/gm);
  expect(namesIn(DOCKERFILE, /^COPY --from=build (\S+) /gm)).toEqual([workdir]);
});

type Service = {
  logging?: { options: Record<string, string> };
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  env_file?: string;
  environment?: Record<string, unknown>;
  healthcheck?: { test: string[] };
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

it('compose.yaml is YAML whose services build what is there, know their settings and volumes', () => {
  const { services, volumes } = parse(COMPOSE, { merge: true }) as Compose;
  const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'web', 'worker']);
  for (const [name, { build, environment = {} }] of ours) {
    const context = join('public/operating', build?.context ?? '');
    expect(existsSync(join(context, build?.dockerfile ?? '')), name).toBe(true);
    expect(unknown(Object.keys(environment)), name).toEqual([]);
    expect(Object.keys(environment), name).toContain('DATABASE_URL');
  }
  const commands = ours.map(([, { command }]) => command?.at(-1));
  expect(commands).toEqual(['migrate', undefined, 'worker']);
  const mounted = Object.values(services).flatMap(({ volumes: list = [] }) => list);
  const named = mounted.map((mount) => mount.slice(0, mount.indexOf(':')));
  expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
});

/** What compose.yaml itself decides: its database, its Inngest, and where both reach us. */
const DECIDED = [
  'DATABASE_URL',
  'JOBS_DRIVER',
  'INNGEST_BASE_URL',
  'INNGEST_SERVE_ORIGIN',
  'HOST',
  'PORT',
  'METRICS_PORT',
];

it('every setting of the README that stands in .env reaches the services of compose.yaml', () => {
  const { services } = parse(COMPOSE, { merge: true }) as Compose;
  const rows = read('README.md').split('### Settings')[1]?.split('\n### ')[0] ?? '';
  const names = namesIn(rows, /(?<=^\|[^|]*)`([A-Z][A-Z_]+)`/gm);
  expect(names).toContain('SECRETS_KEY_PREVIOUS');
  for (const kind of ['migrate', 'web', 'worker']) {
    const { env_file, environment = {} } = services[kind] ?? {};
    expect(env_file, kind).toBe('.env');
    // `environment` overrides the file, so its names must be taken from the file.
    const lost = names.filter(
      (name) => name in environment && !`${environment[name]}`.startsWith(`\${${name}:`),
    );
    expect(
      lost.filter((name) => !DECIDED.includes(name)),
      kind,
    ).toEqual([]);
  }
});

it('every setting that compose.yaml gives the gateway stands in the table of the README', () => {
  const { services } = parse(COMPOSE, { merge: true }) as Compose;
  const rows = read('README.md').split('### Settings')[1]?.split('\n### ')[0] ?? '';
  const names = namesIn(rows, /(?<=^\|[^|]*)`([A-Z][A-Z_]+)`/gm);
  for (const kind of ['migrate', 'web', 'worker']) {
    const given = Object.keys(services[kind]?.environment ?? {});
    expect(
      given.filter((name) => !names.includes(name)),
      kind,
    ).toEqual([]);
  }
});

it('operating.md says how long the callbacks of a process that was killed wait', () => {
  const [, leaseMs = ''] =
    /LEASE_MS = ([\d_]+);/.exec(read('server/callbacks/queue/fair-share.ts')) ?? [];
  const seconds = Number(leaseMs.replace('_', '')) / 1_000;
  expect(read('public/operating/operating.md')).toContain(`are sent again ${seconds} s later`);
});

it('operating.md says how a command gets the settings before it names the first one', () => {
  const page = read('public/operating/operating.md');
  const [before = ''] = page.split(/npm run gateway -- (?=\w)/, 1);
  const said = page.slice(before.indexOf('### Commands with the settings'));
  const [run = ''] = /systemd-run (.+\\\n)+.+/.exec(said) ?? [];
  const given = namesIn(run, /-p (\S+)/g);
  const same =
    /^(?:User|WorkingDirectory|StateDirectory|EnvironmentFile|Environment=DATA_DIR)=.+$/gm;
  for (const unit of UNITS) {
    expect([...given].sort()).toEqual([...unit.matchAll(same)].map(([line]) => line).sort());
    expect(unit).toMatch(new RegExp(`^ExecStart=.*${/ \S+node /.exec(run)?.[0]}`, 'm'));
  }
  const { services } = parse(COMPOSE, { merge: true }) as Compose;
  expect(services).toHaveProperty(
    /docker compose exec (\S+) node server\/bootstrap\.js gateway /.exec(said)?.[1] ?? '',
  );
});

it('after the move to a PostgreSQL of one’s own the old data is left alone, and DATABASE_URL asked for', async () => {
  const [, said = ''] = read('public/operating/operating.md').split(
    '### The embedded PostgreSQL\n',
  );
  const move = /^mv .+$/m.exec(said)?.[0] ?? '';
  expect(said.indexOf('pg_restore')).toBeLessThan(said.indexOf(move));
  const dataDir = mkdtempSync(join(tmpdir(), 'deploy-test-'));
  try {
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
    writeFileSync(join(dataDir, 'postgres.json'), '{"port":15432,"password":"x"}\n');
    execFileSync('sh', ['-c', move], { env: childEnvironment({ DATA_DIR: dataDir }) });
    const advice = 'If its data has moved to a PostgreSQL of your own, set DATABASE_URL.';
    await expect(startEmbedded({ dataDir })).rejects.toThrow(`not whole. ${advice}`);
    expect(said.slice(said.indexOf(move)).replaceAll('\n', ' ')).toContain(advice);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('no command of operating.md shows the database’s password to others on the machine', () => {
  const page = read('public/operating/operating.md');
  const commands = namesIn(page, /^(?:\(umask 077; )?((?:psql|pg_dump|pg_restore) .+)$/gm);
  expect(commands.map((command) => command.split(' ')[0])).toEqual([
    'psql',
    'pg_dump',
    'pg_restore',
    'psql',
  ]);
  expect(commands.filter((command) => /:\/\/|DATABASE_URL|password/i.test(command))).toEqual([]);
  const [service] = namesIn(page, /^```ini\n\[(\w+)\]$/gm);
  expect(commands.flatMap((command) => namesIn(command, /service=(\w+)/g))).toEqual([
    service,
    service,
    service,
  ]);
});

/** What is kept forever, by table, in the page's words. */
const KEPT = {
  invoices: 'invoices',
  invoice_events: 'their changes',
  payment_attempts: 'payment attempts',
  callbacks: 'callbacks with their bodies',
  callback_attempts: '2 KiB of each answer',
  audit_log: 'the audit log',
};

it('no program deletes what operating.md says is never deleted', async () => {
  const [, said = ''] = read('public/operating/operating.md').split('\n## What is kept\n');
  const [, kept = ''] = said.split('\n\n').map((each) => each.replaceAll('\n', ' '));
  expect(kept).toContain('never deleted');
  const sources = [...(await readSources(projectRoot()))].filter(
    ([file]) => /^(?:app|server)\//.test(file) && !/\.test\.ts$|\/testing\//.test(file),
  );
  const deleted = sources.flatMap(([, text]) => namesIn(text, /\bDELETE FROM "?(\w+)/g));
  expect(deleted).toContain('sessions');
  for (const [table, words] of Object.entries(KEPT)) {
    expect(kept).toContain(words);
    expect(deleted).not.toContain(table);
  }
});

it('the units begin after a PostgreSQL of their machine, and so end before it', () => {
  for (const unit of UNITS) expect(unit).toMatch(/^After=.* postgresql\.service$/m);
});
