import { findChromium } from '../../e2e/chromium.ts';
import { runProgram } from '../lib/run-program.ts';
import { childEnvironment } from '../settings/settings.ts';

/**
 * Finds a Chromium or installs one: from Debian's headless package where this account may,
 * otherwise by Playwright, otherwise by the system's package manager.
 *
 * @returns its path
 * @throws Error that says what was tried and what to do
 */
export async function provideChromium(root: string): Promise<string> {
  const found = findChromium();
  if (found) return found;
  const tried: string[] = [];
  for (const [name, ...args] of installers()) {
    const run = await runProgram(name, args, { env: childEnvironment(), cwd: root });
    const installed = findChromium();
    if (installed) return installed;
    tried.push(`${[name, ...args].join(' ')}: ${run.ending}\n${run.output.slice(-600)}`);
  }
  throw new Error(
    `There is no Chromium. Install one, or name it in CHROMIUM_PATH. Tried:\n${tried.join('\n')}`,
  );
}

type Command = [program: string, ...args: string[]];

function byApt(name: string): Command {
  return ['apt-get', 'install', '-y', '--no-install-recommends', name];
}

function byPlaywright(...options: string[]): Command {
  const program = 'node_modules/@playwright/test/cli.js';
  return [process.execPath, program, 'install', ...options, 'chromium'];
}

function installers(): Command[] {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) return [byPlaywright()];
  return [
    ['apt-get', 'update'],
    byApt('chromium-headless-shell'),
    process.platform === 'linux' ? byPlaywright('--with-deps') : byPlaywright(),
    byApt('chromium'),
    ['dnf', 'install', '-y', 'chromium'],
  ];
}
