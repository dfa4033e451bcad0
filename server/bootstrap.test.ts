import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { gatewayLock } from './lib/process-lock.js';
import { childEnvironment, projectRoot } from './settings/settings.ts';
import { makeThrowAwayFolder } from './testing/throw-away-folder.ts';

const node = JSON.stringify(process.execPath);
const folder = makeThrowAwayFolder();
const heard: string[] = [];
// A fake gateway that never has callbacks: the listening command goes on until it is ended.
const gateway = createServer(async (request, response) => {
  let body = '';
  for await (const data of request) body += data;
  const { step } = JSON.parse(body);
  heard.push(step);
  if (step === 'stop') response.end('{}');
});
let command: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const options = `--base-url ${origin}/api/sandbox --merchant-id mer_1 --token t --forward-to ${origin}`;
  command = `${node} ${path.join(projectRoot(), 'server/bootstrap.js')} gateway listen ${options}`;
});
beforeEach(() => {
  heard.length = 0;
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
  rmSync(folder, { recursive: true });
});

/** Starts a Node process that starts the program `between`, which starts the command. */
async function startBelow(between: string[]) {
  const script = `
    const { spawn } = require('node:child_process');
    const [program, ...args] = ${JSON.stringify(between)};
    console.log(spawn(program, args, { stdio: ['ignore', 2, 2] }).pid);
    setInterval(() => undefined, 60_000);`;
  const outer = spawn(process.execPath, ['-e', script], {
    cwd: projectRoot(),
    env: childEnvironment({ NODE_ENV: '', npm_lifecycle_event: 'gateway', DATA_DIR: folder }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = await Promise.all([
    new Promise((resolve) => outer.stdout.once('data', resolve)),
    expect.poll(() => heard, { timeout: 20_000 }).toContain('start'),
  ]);
  return { outer, betweenPid: Number(printed) };
}

// Other systems do not tell a process its grandparent.
describe.runIf(process.platform === 'linux')('a command of npm’s', () => {
  it('ends when npm is killed and the shell between them is not', async () => {
    const { outer } = await startBelow(['/bin/sh', '-c', `${command}; true`]);
    outer.kill('SIGKILL');
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('stop');
  });

  it('without a shell between them outlives npm’s parent, and ends with npm', async () => {
    const [program, ...args] = command.split(' ').map((word) => word.replaceAll('"', ''));
    const npm = `
      const args = ${JSON.stringify(args)};
      require('node:child_process').spawn(${JSON.stringify(program)}, args, { stdio: 'ignore' });`;
    const { outer, betweenPid } = await startBelow([process.execPath, '-e', npm]);
    outer.kill('SIGKILL');
    // The command checks every second.
    await sleep(2_500);
    expect(heard).not.toContain('stop');
    process.kill(betweenPid, 'SIGKILL');
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('stop');
  });
});

/** Makes a project folder with the named parts of ours. */
function makeProject(names: string[]): string {
  const root = makeThrowAwayFolder();
  for (const name of ['server', 'prisma', 'package.json', 'package-lock.json', ...names]) {
    symlinkSync(path.join(projectRoot(), name), path.join(root, name));
  }
  return root;
}

/** The output of `migrate` in a project, without a database. */
async function migrateIn(root: string, variables: Record<string, string>): Promise<string> {
  const entry = path.join(root, 'server', 'bootstrap.js');
  const child = spawn(process.execPath, ['--preserve-symlinks-main', entry, 'migrate'], {
    env: childEnvironment({
      NODE_ENV: '',
      DATA_DIR: folder,
      DATABASE_URL: '',
      ENV_FILE: '',
      ...variables,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const data of child.stderr) said += data;
  return said;
}

/** The same in a project with a `.env`. */
async function migrateBeside(
  envFile: string | Buffer,
  variables: Record<string, string>,
): Promise<string> {
  const root = makeProject(['node_modules']);
  writeFileSync(path.join(root, '.env'), envFile);
  const said = await migrateIn(root, variables);
  rmSync(root, { recursive: true });
  return said;
}

/** A process that holds the lock of a gateway on `folder` and works in `cwd`. */
async function holdGateway(cwd: string) {
  const script = `
    import { takeLock } from ${JSON.stringify(new URL('./lib/process-lock.js', import.meta.url))};
    console.log(takeLock(${JSON.stringify(gatewayLock(folder))}).taken);
    setInterval(() => undefined, 60_000);`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const [printed] = await once(child.stdout, 'data');
  expect(`${printed}`).toBe('true\n');
  return child.pid;
}

describe('packages that are not those of package-lock.json', () => {
  let root: string;
  let npm: string;
  /** The output under this Node version. */
  function migrateAs(node: string): Promise<string> {
    const versions = `{ value: { ...process.versions, node: '${node}' } }`;
    const script = `Object.defineProperty(process, 'versions', ${versions})`;
    const pretended = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    return migrateIn(root, { npm_execpath: npm, NODE_OPTIONS: pretended });
  }

  beforeEach(() => {
    root = makeProject([]);
    npm = path.join(root, 'npm-cli.js');
    writeFileSync(npm, `console.error('npm was called'); process.exit(1);`);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are not exchanged while a gateway runs from the folder', async () => {
    const pid = await holdGateway(root);
    const said = await migrateIn(root, { npm_execpath: npm });
    expect(said).toContain(`a gateway runs from this folder (process ${pid})`);
    expect(said).not.toContain('npm was called');
  });

  // Other systems do not tell a process's working directory.
  it.runIf(process.platform === 'linux')('are exchanged while one runs elsewhere', async () => {
    await holdGateway(folder);
    expect(await migrateIn(root, { npm_execpath: npm })).toContain('npm was called');
  });

  it.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.0'])(
    'are not installed under Node %s, which Prisma refuses',
    async (version) => {
      expect(await migrateAs(version)).toBe(
        `Node 20 (from 20.19), 22 (from 22.12), or 24 or newer is needed; this is ${version}.\n`,
      );
    },
  );

  it('are wanted under the Nodes that Prisma names', () => {
    const nodesOf = (folder: string) =>
      JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')).engines.node;
    symlinkSync(path.join(projectRoot(), 'node_modules'), path.join(root, 'node_modules'));
    expect(nodesOf('node_modules/prisma')).toBe(`${nodesOf('.')}.0`);
  });

  it.each(['20.19.0', '22.12.0', '24.0.0', '25.2.1'])(
    'are installed under Node %s',
    async (version) => {
      expect(await migrateAs(version)).toContain('npm was called');
    },
  );
});

describe('a file .env in the project’s folder', () => {
  const FILE = 'WEB_PROCESSES=of-the-file # a remark\nDATABASE_URL=of-the-file\n';

  it('says what the environment does not', async () => {
    expect(await migrateBeside(FILE, {})).toContain('WEB_PROCESSES must be a whole number');
    expect(await migrateBeside(FILE, { WEB_PROCESSES: 'set' })).toContain('but is "set"');
  });

  it.each([
    ['begins with a mark', Buffer.from(`\uFEFF${FILE}`)],
    ['is UTF-16', Buffer.from(`\uFEFF${FILE}`, 'utf16le')],
  ])('says the same where it %s, as Windows writes it', async (_, file) => {
    expect(await migrateBeside(file, {})).toContain('WEB_PROCESSES must be a whole number');
  });

  it('is told of a name that is no setting of the gateway’s, and goes on', async () => {
    const said = await migrateBeside('DATABSE_URL=postgres://x\nTZ=UTC\n', {});
    expect(said).toMatch(/^! DATABSE_URL in \.env is no setting of the gateway: .+\n(?!! TZ)/);
    expect(said).toContain('DATABASE_URL is not set');
  });

  it('is not read where ENV_FILE is off, as in tests', async () => {
    const said = await migrateBeside(FILE, { ENV_FILE: 'off' });
    expect(said).toContain('DATABASE_URL is not set');
    expect(childEnvironment()).toMatchObject({ ENV_FILE: 'off', __NEXT_PROCESSED_ENV: 'true' });
  });

  it('is asked for by on or off and nothing else', async () => {
    expect(await migrateBeside(FILE, { ENV_FILE: 'none' })).toContain('must be one of on, off');
  });
});

describe('NODE_ENV', () => {
  async function migrate(nodeEnv: string): Promise<string> {
    const child = spawn(process.execPath, ['server/bootstrap.js', 'migrate'], {
      cwd: projectRoot(),
      env: childEnvironment({
        NODE_ENV: nodeEnv,
        DATA_DIR: folder,
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
        JOBS_DRIVER: 'inngest',
        INNGEST_DEV: '1',
      }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    for await (const data of child.stderr) said += data;
    return said;
  }

  it('counts as not set where it is empty', async () => {
    expect(await migrate('')).toContain('INNGEST_DEV must not be set in production');
    expect(await migrate('development')).toContain('The migrations could not be applied');
  });

  it.each(['staging', 'test', 'Production'])(
    'is refused as what nobody knows: %s',
    async (mode) => {
      expect(await migrate(mode)).toBe(
        `The setting NODE_ENV must be one of production, development, but is "${mode}".\n`,
      );
    },
  );
});

it.each(['start', 'dev', 'web', 'worker', 'build', 'migrate'])(
  'an argument of %s is refused, not passed over',
  (command) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['server/bootstrap.js', command, '--dry-run'],
      {
        cwd: projectRoot(),
        env: childEnvironment({ NODE_ENV: '', PORT: 'none', DATABASE_URL: 'none' }),
        encoding: 'utf8',
      },
    );
    expect(stderr).toMatch(
      new RegExp(`^The command ${command} takes no arguments, but was given --dry-run\\. `),
    );
    expect(status).toBe(1);
  },
);
