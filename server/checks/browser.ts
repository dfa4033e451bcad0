import { findChromium } from '../../e2e/chromium.ts';
import { childEnvironment } from '../env.ts';
import { runProgram } from '../lib/run-program.ts';

/**
 * Finds a Chromium or has one installed: by Playwright, else by the system's package manager
 * where this account may.
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

function installers(): [program: string, ...args: string[]][] {
  const playwright = 'node_modules/@playwright/test/cli.js';
  const isRoot = process.getuid?.() === 0;
  const withLibraries = isRoot && process.platform === 'linux' ? ['--with-deps'] : [];
  const commands: [string, ...string[]][] = [
    [process.execPath, playwright, 'install', ...withLibraries, 'chromium'],
  ];
  if (isRoot) {
    commands.push(
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
      ['dnf', 'install', '-y', 'chromium'],
    );
  }
  return commands;
}
